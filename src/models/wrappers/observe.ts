import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { utf8Length } from '../../domain/tokens/utf8.ts'
import type { Clock } from '../clock.ts'
import { attemptsOf, usageOfFailure, withAttempts } from '../failures/attempts.ts'
import {
  type AttemptRow,
  type CandidateFacts,
  type Completion,
  type CompletionRequest,
  type Model,
  ModelError,
  NO_USAGE,
  type Outcome,
  type Usage,
  wrapModel,
} from '../model.ts'
import type { ModelObserver } from '../observer.ts'

/** Skipped without a request: such rows have no duration (models.md §10). */
const SKIPPED: ReadonlySet<Outcome> = new Set(['queue_full', 'queue_timeout', 'breaker_open', 'key_resting'])
const OVER_HTTP: ReadonlySet<Completion['method']> = new Set(['model', 'remote'])

export interface ObserveOptions {
  readonly observer: ModelObserver
  readonly clock: Clock
  readonly price?: CandidateFacts['price']
}

/** Makes one row of each try, and gives it to the observer, to the listener, and to the completion or error itself. */
export function withObserver(model: Model, options: ObserveOptions): Model {
  const { observer, clock, price } = options

  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const startedAt = clock.now()
    const streamed = countStreamed(request)
    const tell = (outcome: Outcome, status: number | undefined, usage = NO_USAGE): AttemptRow => {
      const durationMs = SKIPPED.has(outcome) ? 0 : Math.round(clock.now() - startedAt)
      const row = { model: model.id, outcome, status, durationMs }
      observer.attempt(row, usage, request.caller)
      request.listener?.attempt?.(row)
      return row
    }
    try {
      const completion = await model.complete(streamed.request, signal)
      const row = tell('ok', OVER_HTTP.has(completion.method) ? 200 : undefined, completion.usage)
      return { ...completion, attempts: [...completion.attempts, row] }
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) {
        if (signal.aborted) tell('aborted', undefined, streamed.usage(price))
        throw error
      }
      const counted = usageOfFailure(error)
      const row = tell(error.outcome, error.facts.status, counted === NO_USAGE ? streamed.usage(price) : counted)
      throw withAttempts(error, [...attemptsOf(error), row])
    }
  }
  return wrapModel(model, complete)
}

/** What came of an answer that nobody got the whole of is paid for: its prompt was read, and so much was written. */
function countStreamed(request: CompletionRequest) {
  let bytes = 0
  const delta = (text: string) => {
    bytes += utf8Length(text)
    request.listener?.delta?.(text)
  }
  return {
    request: { ...request, listener: { ...request.listener, delta } },
    usage(price: CandidateFacts['price']): Usage {
      if (bytes === 0) return NO_USAGE
      const inputTokens = textTokens(request.system) + textTokens(request.prompt)
      const outputTokens = Math.ceil(bytes / BYTES_PER_TOKEN)
      const costUsd = price === undefined ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1e6
      return { inputTokens, outputTokens, costUsd }
    },
  }
}

/** The estimate that is used wherever nobody counted (domain/tokens). */
const BYTES_PER_TOKEN = 4
