import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { utf8Length } from '../../domain/tokens/utf8.ts'
import type { CallerQuestion, CallerReply } from '../caller-upstream.ts'
import { CALLER_PREFIX } from '../candidate-ids.ts'
import type { Clock } from '../clock.ts'
import type { Completion, Model } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { answerBounds, outputCap } from '../output-cap.ts'
import { failedAttempt, failureOf } from '../transport/response-error.ts'
import { sourceAnswer } from './source-answer.ts'

/** A model that nobody configured is taken to have the usual window. */
const CONTEXT_WINDOW = 200_000

export function callerModel({ id, clock }: { readonly id: string; readonly clock: Clock }): Model {
  const facts = { id, contextWindow: CONTEXT_WINDOW }
  return {
    ...facts,
    async complete(request, signal) {
      const { through, system } = request
      if (through === undefined) throw new ModelError(id, 'not_found')
      // Its answer comes in one piece, so there is no first token to wait for.
      request.listener?.delta?.('')
      const question = {
        model: id.slice(CALLER_PREFIX.length),
        system,
        prompt: request.prompt.text,
        maxTokens: outputCap(facts, request),
      }
      try {
        return completionOf(id, question, await through.ask(question, signal))
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof ModelError) throw error
        throw failedAttempt(
          { model: id, failure: failureOf(error), nowMs: clock.now() },
          { keys: through.secrets, request },
        )
      }
    },
  }
}

function completionOf(
  model: string,
  { system, prompt, maxTokens }: CallerQuestion,
  reply: CallerReply | null,
): Completion {
  // Longer than any answer that was asked for: docs/spec/hostile.md §2.
  if (reply === null || utf8Length(reply.text) > answerBounds(maxTokens).textBytes) {
    throw new ModelError(model, 'bad_response', { status: 200 })
  }
  const { text, inputTokens, outputTokens, isCut } = reply
  if (isCut) throw new ModelError(model, 'truncated', { status: 200 })
  if (text.trim() === '') throw new ModelError(model, 'empty', { status: 200 })
  return sourceAnswer({
    text,
    model,
    usage: {
      inputTokens: inputTokens ?? textTokens(system) + textTokens(prompt),
      outputTokens: outputTokens ?? textTokens(text),
      costUsd: 0,
    },
    method: 'model',
  })
}
