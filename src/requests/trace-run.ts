import { RecapdError } from '../domain/errors.ts'
import { startSpan } from '../models/tracing.ts'
import type { Execute } from './call.ts'

/** A span for the pipeline of each call, under that of its request; its model calls come under it. */
export function traceRun(run: Execute): Execute {
  return async (running, signal) => {
    const { call } = running
    const { context, endpoint } = call
    const span = startSpan({ name: `recapd.${endpoint}`, kind: 'internal', parent: context.traceparent })
    const traced = { ...running, call: { ...call, context: { ...context, traceparent: span.traceparent } } }
    try {
      const answer = await run(traced, signal)
      span.end({ attributes: { 'recapd.model': answer.model, 'recapd.cache': answer.cache } })
      return answer
    } catch (error) {
      span.end({ error: error instanceof RecapdError ? error.code : 'internal' })
      throw error
    }
  }
}
