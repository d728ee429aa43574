import { cleanAnswer } from '../../domain/summary/clean-answer.ts'
import { verdict } from '../../domain/summary/judge-answer.ts'
import { chunkCleaner } from '../../domain/text/clean-chunks.ts'
import { type Completion, type CompletionRequest, type Model, ModelError, wrapModel } from '../model.ts'

/**
 * Takes the wrapping off an answer and refuses what is none (session-compaction §7.1-3): blank → `empty`, no heading where
 * headings were asked for → `not_a_summary`. A blank summary must never replace a history (B030, B033).
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

/** What is streamed is clean, too. */
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
  const text = cleanAnswer(completion.text)
  switch (verdict(text, request.expects ?? 'text')) {
    case 'ok':
      return text === completion.text ? completion : { ...completion, text }
    case 'blank':
      throw new ModelError(id, 'empty', { status: 200, usage: completion.usage })
    case 'not-a-summary':
      throw new ModelError(id, 'not_a_summary', { status: 200, usage: completion.usage })
  }
}

/** A cut answer may be taken after all (models.md §2): only when what there is of it would have passed. */
function withCheckedPartial(error: ModelError, request: CompletionRequest): ModelError {
  const { partial, ...facts } = error.facts
  if (partial === undefined) return error
  const text = cleanAnswer(partial.text)
  const good = verdict(text, request.expects ?? 'text') === 'ok'
  return new ModelError(error.model, error.outcome, good ? { ...facts, partial: { ...partial, text } } : facts)
}
