import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import type { Metrics } from '../metrics.ts'
import { collect } from './collect.ts'
import { unsupportedMediaType } from './problems.ts'

export type MediaType = 'json' | 'ndjson'

/** A body as it was sent, inflated, not yet parsed: big ones cross into a worker as these bytes. */
export interface RawBody {
  readonly mediaType: MediaType
  readonly bytes: Buffer
}

interface BodyLimits {
  readonly bodyLimitBytes: number
  readonly maxInflightBytes: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of this request's body that count as in flight; given back when the answer is done. */
    heldBytes: number
  }
  interface FastifyContextConfig {
    /** `key` (default): needs a caller that may use the route. `own`: any caller, for what is its own. `open`: anybody. */
    access?: 'key' | 'own' | 'open'
    ndjson?: boolean
    /** Work is refused while draining; looking at the service is not. */
    work?: boolean
  }
}

/**
 * Bodies are collected as bytes here and parsed where they are worked on. They are inflated while being read, so the
 * limit counts inflated bytes and a bomb is stopped on its way (http-api §0).
 */
export function registerBodies(app: FastifyInstance, limits: BodyLimits, metrics: Metrics): void {
  app.decorateRequest('heldBytes', 0)
  const inflight = { bytes: 0 }
  app.removeAllContentTypeParsers()
  const parserOf =
    (mediaType: MediaType) =>
    (request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: RawBody) => void) => {
      if (mediaType === 'ndjson' && request.routeOptions.config.ndjson !== true) throw unsupportedMediaType()
      if (Number(request.headers['content-length'] ?? 0) > limits.bodyLimitBytes) throw tooLarge(limits.bodyLimitBytes)
      collect(payload, {
        take: (bytes) => hold(request, bytes),
        done: (error, bytes) => (bytes === undefined ? done(error) : done(null, { mediaType, bytes })),
      })
    }
  app.addContentTypeParser('application/json', parserOf('json'))
  app.addContentTypeParser('application/x-ndjson', parserOf('ndjson'))

  function hold(request: FastifyRequest, bytes: number): void {
    if (request.heldBytes + bytes > limits.bodyLimitBytes) throw tooLarge(limits.bodyLimitBytes)
    if (inflight.bytes + bytes > limits.maxInflightBytes) {
      throw new RecapdError('overloaded', 'Too many bytes of requests are in flight; try again shortly.', {
        retryAfterMs: 2_000,
      })
    }
    inflight.bytes += bytes
    request.heldBytes += bytes
    metrics.bodyBytes(bytes)
  }

  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => {
      inflight.bytes -= request.heldBytes
      if (request.heldBytes > 0) metrics.bodyBytes(-request.heldBytes)
      request.heldBytes = 0
    })
    done()
  })
}

const tooLarge = (limitBytes: number): RecapdError =>
  new RecapdError(
    'body-too-large',
    `The body is larger than ${limitBytes} bytes (after inflating); send less or raise server.bodyLimitBytes.`,
  )
