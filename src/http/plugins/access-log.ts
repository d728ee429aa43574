import type { FastifyInstance, FastifyRequest } from 'fastify'
import { traceIdOf } from '../../models/transport/traceparent.ts'
import type { Metrics } from '../metrics.ts'
import { statusSentOn } from './broken-request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    startedAt: number
    /** The model that answered, for the log line. */
    answeredBy: string | undefined
  }
}

/** Status a line is logged with when the client left before the answer was whole. */
const CLIENT_CLOSED = 499

/**
 * One line and one count a request, when its answer is done or its client is gone. The address is logged as the route's
 * pattern: a raw path can hold a key.
 */
export function registerAccessLog(app: FastifyInstance, metrics: Metrics): void {
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('answeredBy', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    reply.raw.on('close', () => {
      const status = reply.raw.writableFinished
        ? reply.raw.statusCode
        : (statusSentOn(request.raw.socket) ?? CLIENT_CLOSED)
      const durationMs = performance.now() - request.startedAt
      // Fastify makes these anew each time they are asked for.
      const { url: route = 'unknown', config } = request.routeOptions
      const bodyBytes = request.heldBytes > 0 ? request.heldBytes : undefined
      metrics.request({ route, method: request.method, status, seconds: durationMs / 1000, bodyBytes })
      const level = status >= 500 && status !== 503 ? 'warn' : config.work === true ? 'info' : 'debug'
      request.log[level](lineOf(request, { route, status, durationMs, bodyBytes }), 'request')
    })
    done()
  })
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
    bodyBytes,
    model: request.answeredBy,
    code: request.problem,
    traceId: traceIdOf(request.headers['traceparent']),
  }
}
