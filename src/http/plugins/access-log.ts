import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type RunningSpan, startSpan } from '../../models/tracing.ts'
import { readTraceparent, spanIdOf, traceIdOf } from '../../models/transport/traceparent.ts'
import type { Metrics } from '../metrics.ts'
import type { FiguresLedger } from '../request-figures.ts'
import { statusSentOn } from './broken-request.ts'
import { PROBLEMS } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    startedAt: number
    /** The model that answered, for the log line. */
    answeredBy: string | undefined
    /** Resolves when the work for this request is over; where the caller left, that is after the request. */
    working: Promise<void> | undefined
    /** The trace context of the work for this request. */
    traceparent: string | undefined
  }
}

/** Status a line is logged with when the client left before the answer was whole. */
const CLIENT_CLOSED = 499
/** The service could not do what it is there for (docs/spec/production.md §5). */
const ERRORS: ReadonlySet<number> = new Set([424, 500, 502, 504])

export interface AccessLogOptions {
  readonly metrics: Metrics
  readonly figures: FiguresLedger
}

/**
 * One line, one count and, for work, one span a request, when its answer is done or its client is gone. The address is
 * logged as the route's pattern: a raw path can hold a key.
 */
export function registerAccessLog(app: FastifyInstance, { metrics, figures }: AccessLogOptions): void {
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('answeredBy', undefined)
  app.decorateRequest('working', undefined)
  app.decorateRequest('traceparent', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    // Fastify makes these anew each time they are asked for.
    const { url: route = 'unknown', config } = request.routeOptions
    const isWork = config.work === true
    request.traceparent = readTraceparent(request.headers['traceparent'])
    const span = isWork ? requestSpan(request, route) : undefined
    if (isWork) figures.open(request.id)
    reply.raw.on('close', () => {
      const status = statusOf(request, reply)
      const durationMs = performance.now() - request.startedAt
      const bodyBytes = request.heldBytes > 0 ? request.heldBytes : undefined
      metrics.request({ route, method: request.method, status, seconds: durationMs / 1000, bodyBytes })
      span?.end({
        attributes: { 'http.response.status_code': status },
        error: status >= 500 || status === 424 ? (request.problem ?? String(status)) : undefined,
      })
      const line = lineOf(request, { route, status, durationMs, bodyBytes })
      const tell = () =>
        request.log[levelOf(status, isWork)](isWork ? { ...line, ...workOf(request.id, figures) } : line, 'request')
      // What a call that was broken off has cost is known only when it has ended.
      if (request.working === undefined) tell()
      else void request.working.then(tell)
    })
    done()
  })
}

function requestSpan(request: FastifyRequest, route: string): RunningSpan {
  const span = startSpan({
    name: `${request.method} ${route}`,
    kind: 'server',
    parent: request.traceparent,
    attributes: { 'http.request.method': request.method, 'http.route': route },
  })
  request.traceparent = span.traceparent
  return span
}

/** A stream counts by how it ended: its first line said 200 whatever came. */
function statusOf({ problem, raw }: FastifyRequest, reply: FastifyReply): number {
  if (!reply.raw.writableFinished) return statusSentOn(raw.socket) ?? CLIENT_CLOSED
  return problem === undefined ? reply.raw.statusCode : PROBLEMS[problem].status
}

export function levelOf(status: number, isWork: boolean): 'error' | 'warn' | 'info' | 'debug' {
  if (ERRORS.has(status)) return 'error'
  if (status >= 500) return 'warn'
  return isWork ? 'info' : 'debug'
}

interface Line {
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly bodyBytes: number | undefined
}

function lineOf(request: FastifyRequest, { route, status, durationMs, bodyBytes }: Line): object {
  return {
    method: request.method,
    route,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    caller: request.caller?.name,
    clientAddress: request.ip,
    bodyBytes,
    model: request.answeredBy,
    code: request.problem,
    traceId: traceIdOf(request.traceparent),
    spanId: spanIdOf(request.traceparent),
  }
}

/** What was done for it, and what that cost. */
export function workOf(requestId: string, figures: FiguresLedger): object {
  const { attempts, usage, cache, queueWaitMs, upstreamMs } = figures.close(requestId)
  return { attempts, ...usage, cache, queueWaitMs, upstreamMs }
}
