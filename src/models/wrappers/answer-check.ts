import { bareAnswer, defusedAnswer } from '../../domain/summary/clean-answer.ts'
import { factShare } from '../../domain/summary/judge/fact-share.ts'
import { isBetterThanNothing, type Verdict, verdict } from '../../domain/summary/judge/judge-answer.ts'
import { chunkCleaner } from '../../domain/text/clean-chunks.ts'
import { EXTRACTIVE_ID } from '../candidate-ids.ts'
import { type Completion, type CompletionRequest, type Model, wrapModel } from '../model.ts'
import type { Leftover } from '../model-error.ts'
import { ModelError } from '../model-error.ts'

/**
 * Unwraps an answer and refuses what is not one (docs/spec/truth.md §8): blank → `empty`, no summary → `not_a_summary`,
 * cut without saying so → `truncated`. A refused answer travels in the error: it may be better than nothing in the end. A blank
 * summary must never replace a history (docs/bug-log.md B030, B033).
 */
export function withAnswerCheck(model: Model): Model {
  return wrapModel(model, async (request, signal) => {
    let completion: Completion
    try {
      completion = await model.complete(withCleanDeltas(request), signal)
    } catch (error) {
      throw error instanceof ModelError ? withCheckedPartial(error, request) : error
    }
    return checked(model.id, request, completion)
  })
}

/** What is streamed is cleaned, too. */
function withCleanDeltas(request: CompletionRequest): CompletionRequest {
  const { listener } = request
  if (listener?.delta === undefined) return request
  const { delta } = listener
  let clean = chunkCleaner()
  return {
    ...request,
    listener: {
      ...listener,
      delta(chunk) {
        const text = clean(chunk)
        if (text !== '') delta.call(listener, text)
      },
      reset() {
        clean = chunkCleaner()
        listener.reset?.()
      },
    },
  }
}

function checked(id: string, request: CompletionRequest, completion: Completion): Completion {
  const { text, verdict: found } = judged(id, request, completion.text)
  const facts = { status: 200, usage: completion.usage }
  if (found === 'blank') throw new ModelError(id, 'empty', facts)
  const answer = text === completion.text ? completion : { ...completion, text }
  if (found === 'ok') return answer
  const leftover = leftoverOf(answer, found, request)
  throw new ModelError(id, found === 'cut' ? 'truncated' : 'not_a_summary', { ...facts, leftover })
}

/** A cut answer may be accepted after all (docs/spec/models.md §2): its text travels in the error, already judged. */
function withCheckedPartial(error: ModelError, request: CompletionRequest): ModelError {
  const { partial, ...facts } = error.facts
  if (partial === undefined) return error
  const { text, verdict: found } = judged(error.model, request, partial.text)
  const usage = facts.usage ?? partial.usage
  if (found === 'blank') return new ModelError(error.model, error.outcome, { ...facts, usage })
  const isNone = found === 'not-a-summary'
  const leftover = leftoverOf({ ...partial, text }, isNone ? found : 'cut', request)
  return new ModelError(error.model, error.outcome, { ...facts, usage, leftover })
}

/** Unwrapped, and cleaned as input is; judged before anything in it is defused. */
function judged(id: string, request: CompletionRequest, answer: string): { text: string; verdict: Verdict } {
  const bare = bareAnswer(answer)
  // The embedded model always writes what was asked, in the words of the conversation.
  const expects =
    id === EXTRACTIVE_ID ? 'text' : request.expects === 'headings' ? (request.answer ?? 'headings') : 'text'
  return { text: defusedAnswer(bare), verdict: verdict(bare, expects) }
}

function leftoverOf(completion: Completion, found: Verdict, { answer }: CompletionRequest): Leftover {
  const score = answer === undefined ? 0 : factShare(completion.text, answer.facts).share
  const isNone = found === 'not-a-summary'
  return {
    completion,
    score,
    why: isNone ? 'none' : found === 'cut' ? 'cut' : 'soft',
    isUsable: !isNone || (answer !== undefined && isBetterThanNothing(completion.text, answer)),
  }
}
