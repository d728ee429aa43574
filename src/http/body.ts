import type { IncomingMessage } from 'node:http'
import fastifyCompress from '@fastify/compress'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../domain/errors.ts'
import type { Metrics } from './metrics.ts'
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
    /** `key` (default): needs a caller. `open`: anybody. `operations`: anybody on loopback or where configured. */
    access?: 'key' | 'open' | 'operations'
    ndjson?: boolean
    /** Work is refused while draining; looking at the service is not. */
    work?: boolean
  }
}

/**
 * Bodies are collected as bytes here and parsed where they are worked on. Content codings are undone by
 * @fastify/compress while reading, so the limit counts inflated bytes and a bomb is stopped on its way (http-api §0).
 */
export async function registerBodies(app: FastifyInstance, limits: BodyLimits, metrics: Metrics): Promise<void> {
  app.decorateRequest('heldBytes', 0)
  const inflight = { bytes: 0 }
  await app.register(fastifyCompress, {
    global: false,
    globalDecompression: true,
    requestEncodings: ['gzip', 'br', 'deflate', 'identity'],
    onUnsupportedRequestEncoding: () =>
      new RecapdError(
        'unsupported-media-type',
        'This content-encoding is not known; use gzip, br, deflate or none.',
      ) as never,
    onInvalidRequestPayload: () =>
      new RecapdError('invalid-request', 'The compressed body is damaged; send it again.') as never,
  })
  app.removeAllContentTypeParsers()
  const parserOf = (mediaType: MediaType) => (request: FastifyRequest, payload: IncomingMessage) => {
    if (mediaType === 'ndjson' && request.routeOptions.config.ndjson !== true) throw unsupportedMediaType()
    return collect(request, payload, mediaType)
  }
  app.addContentTypeParser('application/json', parserOf('json'))
  app.addContentTypeParser('application/x-ndjson', parserOf('ndjson'))

  function hold(request: FastifyRequest, bytes: number): void {
    if (inflight.bytes + bytes > limits.maxInflightBytes) {
      throw new RecapdError('overloaded', 'Too many bytes of requests are in flight; try again shortly.', {
        retryAfterMs: 2_000,
      })
    }
    inflight.bytes += bytes
    request.heldBytes += bytes
    metrics.bodyBytes(bytes)
  }

  async function collect(request: FastifyRequest, payload: IncomingMessage, mediaType: MediaType): Promise<RawBody> {
    const declared = Number(request.headers['content-length'] ?? 0)
    if (declared > limits.bodyLimitBytes) throw tooLarge(limits.bodyLimitBytes)
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of payload) {
      length += chunk.length
      if (length > limits.bodyLimitBytes) throw tooLarge(limits.bodyLimitBytes)
      hold(request, chunk.length)
      chunks.push(chunk)
    }
    return {
      mediaType,
      bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length),
    }
  }

  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      inflight.bytes -= request.heldBytes
      if (request.heldBytes > 0) metrics.bodyBytes(-request.heldBytes)
      request.heldBytes = 0
    })
  })
}

const tooLarge = (limitBytes: number): RecapdError =>
  new RecapdError(
    'body-too-large',
    `The body is larger than ${limitBytes} bytes (after inflating); send less or raise server.bodyLimitBytes.`,
  )
