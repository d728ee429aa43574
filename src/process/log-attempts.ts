import type { Logger } from 'pino'
import type { AttemptOutcome } from '../models/model.ts'
import type { ModelObserver } from '../models/observer.ts'
import { spanIdOf, traceIdOf } from '../models/transport/traceparent.ts'

/** Nobody was asked, or the caller left: that is not a failure of a model. */
const QUIET: ReadonlySet<AttemptOutcome> = new Set(['ok', 'aborted', 'breaker_open', 'key_resting'])

/** One warning for each failed attempt, with what an operator would ask the provider about (docs/spec/production.md §5). */
export function logAttempts(observer: ModelObserver, log: Pick<Logger, 'warn'>): ModelObserver {
  return {
    ...observer,
    attempt(report) {
      observer.attempt(report)
      const { row, asker, facts } = report
      if (QUIET.has(row.outcome)) return
      log.warn(
        {
          reqId: asker.requestId,
          model: row.model,
          outcome: row.outcome,
          status: row.status,
          errno: facts?.code,
          providerCode: facts?.said?.code,
          providerType: facts?.said?.type,
          providerMessage: facts?.said?.message,
          providerRequestId: facts?.said?.requestId,
          retryAfterMs: facts?.retryAfterMs,
          durationMs: row.durationMs,
          traceId: traceIdOf(asker.traceparent),
          spanId: spanIdOf(asker.traceparent),
        },
        'attempt failed',
      )
    },
  }
}
