import type { Logger } from 'pino'
import { asRecapdError } from '../domain/errors.ts'
import { levelOf, workOf } from '../http/plugins/access-log.ts'
import { PROBLEMS } from '../http/plugins/problems.ts'
import type { FiguresLedger } from '../http/request-figures.ts'
import type { JobRunnerOptions } from '../jobs/run-job.ts'
import { spanIdOf, traceIdOf } from '../models/transport/traceparent.ts'

export interface JobLogOptions {
  readonly figures: FiguresLedger
  readonly log: Pick<Logger, ReturnType<typeof levelOf>>
}

/**
 * One line a start of a job, as a request has one: the line of a request that did not wait for its answer knows nothing of
 * models and costs, and may be another replica's (docs/spec/production.md §5).
 */
export function logJobs(run: JobRunnerOptions['run'], { figures, log }: JobLogOptions): JobRunnerOptions['run'] {
  return async (work, signal) => {
    const { id: jobId, call } = work
    const { requestId: reqId, callerName: caller, traceparent } = call.context
    const startedAt = performance.now()
    figures.open(reqId)
    const tell = (end: { readonly status: number; readonly model?: string | undefined; readonly code?: string }) => {
      const line = {
        reqId,
        jobId,
        endpoint: call.endpoint,
        ...end,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        caller,
        bodyBytes: call.bytes.byteLength,
        ...workOf(reqId, figures),
        traceId: traceIdOf(traceparent),
        spanId: spanIdOf(traceparent),
      }
      log[levelOf(end.status, true)](line, 'job')
    }
    try {
      const answer = await run(work, signal)
      tell({ status: 200, model: answer.model })
      return answer
    } catch (error) {
      const { code } = asRecapdError(error)
      tell({ status: PROBLEMS[code].status, code })
      throw error
    }
  }
}
