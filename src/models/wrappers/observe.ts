import type { Clock } from '../clock.ts'
import { attemptsOf, usageOfFailure, withAttempts } from '../failures/attempts.ts'
import {
  type AttemptRow,
  type Completion,
  type CompletionRequest,
  type Model,
  ModelError,
  NO_USAGE,
  type Outcome,
  wrapModel,
} from '../model.ts'
import type { ModelObserver } from '../observer.ts'

/** Skipped without a request: such rows have no duration (models.md §10). */
const SKIPPED: ReadonlySet<Outcome> = new Set(['queue_full', 'queue_timeout', 'breaker_open', 'key_resting'])
const OVER_HTTP: ReadonlySet<Completion['method']> = new Set(['model', 'remote'])

/** Makes one row of each try, and gives it to the observer, to the listener, and to the completion or error itself. */
export function withObserver(
  model: Model,
  options: { readonly observer: ModelObserver; readonly clock: Clock },
): Model {
  const { observer, clock } = options

  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const startedAt = clock.now()
    const tell = (outcome: Outcome, status: number | undefined, usage = NO_USAGE): AttemptRow => {
      const durationMs = SKIPPED.has(outcome) ? 0 : Math.round(clock.now() - startedAt)
      const row = { model: model.id, outcome, status, durationMs }
      observer.attempt(row, usage)
      request.listener?.attempt?.(row)
      return row
    }
    try {
      const completion = await model.complete(request, signal)
      const row = tell('ok', OVER_HTTP.has(completion.method) ? 200 : undefined, completion.usage)
      return { ...completion, attempts: [...completion.attempts, row] }
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) {
        if (signal.aborted) tell('aborted', undefined)
        throw error
      }
      const row = tell(error.outcome, error.facts.status, usageOfFailure(error))
      throw withAttempts(error, [...attemptsOf(error), row])
    }
  }
  return wrapModel(model, complete)
}
