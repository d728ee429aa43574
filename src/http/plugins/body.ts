import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { asRecapdError, RecapdError } from '../../domain/errors.ts'
import { bodyCost } from '../../requests/body-cost.ts'
import { SHORT_WORK_BYTES } from '../../requests/long-work.ts'
import { type StructureScanner, structureScanner } from '../../requests/structure.ts'
import { deadBodies } from '../../workers/dead-bodies.ts'
import type { MemoryBudget } from '../../workers/memory-budget.ts'
import type { Metrics } from '../metrics.ts'
import { collect } from './collect.ts'
import { unsupportedMediaType } from './problems.ts'

export type MediaType = 'json' | 'ndjson'

/** A body as it was sent, inflated, not yet parsed: threads read these very bytes. */
export interface RawBody {
  readonly mediaType: MediaType
  readonly bytes: Buffer
  /** As counted before anything was parsed. */
  readonly values: number
}

export interface BodyLimits {
  readonly bodyLimitBytes: number
  readonly maxValues: number
  readonly budget: Pick<MemoryBudget, 'bodiesBytes' | 'mainBytes' | 'threadHeapBytes'>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of this request's body that count as in flight; given back when the answer is done and nobody retains them. */
    heldBytes: number
    /** Counts the body as in flight until the returned function is called, whatever happens to the connection. */
    retainBody(): () => void
  }
  interface FastifyContextConfig {
    /** Also takes a session file as it lies on disk. */
    ndjson?: boolean
  }
}

/**
 * Bodies are collected as bytes here and parsed where they are worked on. They are inflated and their values counted while
 * they are read, so that a bomb of either kind is stopped on its way (docs/spec/contract.md §0, docs/spec/hostile.md §2).
 */
export function registerBodies(app: FastifyInstance, limits: BodyLimits, metrics: Metrics): BodyLedger {
  const { bodyLimitBytes } = limits
  app.decorateRequest('heldBytes', 0)
  const ledger = bodyLedger(limits, metrics)
  app.decorateRequest('retainBody', function () {
    return ledger.retain(this)
  })
  app.removeAllContentTypeParsers()
  const parserOf =
    (mediaType: MediaType) =>
    (request: FastifyRequest, payload: IncomingMessage, done: (error: Error | null, body?: RawBody) => void) => {
      if (mediaType === 'ndjson' && request.routeOptions.config.ndjson !== true) throw unsupportedMediaType()
      if (Number(request.headers['content-length'] ?? 0) > bodyLimitBytes) throw tooLarge(bodyLimitBytes)
      const structure = structureScanner(mediaType)
      collect(payload, {
        take(piece) {
          structure.read(piece)
          refuseMonsters({ mediaType, structure, bytes: request.heldBytes + piece.length }, limits)
          ledger.hold(request, piece.length)
        },
        dropBytes: bodyLimitBytes,
        dead: ledger.dropped,
        done(error, bytes) {
          if (bytes === undefined) return done(error)
          const { values } = structure
          try {
            ledger.admit(request, bodyCost(mediaType, bytes.length, structure).heapBytes)
          } catch (refusal) {
            return done(asRecapdError(refusal))
          }
          done(null, { mediaType, bytes, values })
        },
      })
    }
  app.addContentTypeParser('application/json', parserOf('json'))
  app.addContentTypeParser('application/x-ndjson', parserOf('ndjson'))
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', request.retainBody())
    done()
  })
  return ledger
}

/** Accounts of request bodies, kept until their answers are done. Both throw `overloaded` where there is no room. */
export interface BodyLedger {
  /** Bytes as they lie here. */
  hold(request: FastifyRequest, bytes: number): void
  /** What a body becomes in this thread's heap. */
  admit(request: FastifyRequest, heapBytes: number): void
}

/** Bodies of all requests at once: long ones as they lie here, short ones as what they become in this thread's heap. */
function bodyLedger(
  { budget }: BodyLimits,
  metrics: Metrics,
): BodyLedger & { dropped(bytes: number): void; retain(request: FastifyRequest): () => void } {
  const held = { bytes: 0, heapBytes: 0 }
  const heapOf = new WeakMap<FastifyRequest, number>()
  const users = new WeakMap<FastifyRequest, number>()
  const dead = deadBodies()
  const addUser = (request: FastifyRequest, more: 1 | -1) => {
    const now = (users.get(request) ?? 0) + more
    users.set(request, now)
    if (now === 0) giveBack(request)
  }
  const giveBack = (request: FastifyRequest) => {
    held.bytes -= request.heldBytes
    held.heapBytes -= heapOf.get(request) ?? 0
    heapOf.delete(request)
    if (request.heldBytes === 0) return
    metrics.bodyBytes(-request.heldBytes)
    dead(request.heldBytes)
    request.heldBytes = 0
  }
  return {
    dropped: dead,
    hold(request: FastifyRequest, bytes: number): void {
      if (held.bytes + bytes > budget.bodiesBytes) throw overloaded()
      held.bytes += bytes
      request.heldBytes += bytes
      metrics.bodyBytes(bytes)
    },
    /** Long bodies are parsed in a thread, which has an account of its own. */
    admit(request: FastifyRequest, heapBytes: number): void {
      if (request.heldBytes > SHORT_WORK_BYTES) return
      if (held.heapBytes + heapBytes > budget.mainBytes) throw overloaded()
      held.heapBytes += heapBytes
      heapOf.set(request, heapBytes)
    },
    /** The connection, the work that outlives it, the job that waits: the last one to let go gives the bytes back. */
    retain(request: FastifyRequest): () => void {
      addUser(request, 1)
      let isRetained = true
      return () => {
        if (isRetained) addUser(request, -1)
        isRetained = false
      }
    },
  }
}

interface Arriving {
  readonly mediaType: MediaType
  readonly structure: StructureScanner
  /** Arrived so far. */
  readonly bytes: number
}

/** A body that can never be worked on is refused as soon as that shows. */
export function refuseMonsters(
  { mediaType, structure, bytes }: Arriving,
  { bodyLimitBytes, maxValues, budget }: BodyLimits,
): void {
  if (bytes > bodyLimitBytes) throw tooLarge(bodyLimitBytes)
  if (bytes > budget.bodiesBytes) throw tooLargeHere()
  if (structure.values > maxValues) throw tooComplex(maxValues)
  if (structure.depth > MOST_LEVELS) throw tooDeep()
  if (bodyCost(mediaType, bytes, structure).heapBytes > budget.threadHeapBytes) throw tooLargeHere()
}

/** What the engine can write and every recursive reader can walk; real messages nest a dozen deep. */
const MOST_LEVELS = 500

const overloaded = (): RecapdError =>
  new RecapdError('overloaded', 'Too many bytes of requests are in flight; try again shortly.', { retryAfterMs: 2_000 })

const tooLarge = (limitBytes: number): RecapdError =>
  new RecapdError(
    'body-too-large',
    `The body is larger than ${limitBytes} bytes (after inflating); send less or raise server.bodyLimitBytes.`,
  )

const tooLargeHere = (): RecapdError =>
  new RecapdError(
    'body-too-large',
    'This body would take more memory than this service has for one; send less or raise memory.limitMiB.',
  )

const tooComplex = (maxValues: number): RecapdError =>
  new RecapdError(
    'body-too-complex',
    `The body holds more than ${maxValues} values; send fewer objects, lists and texts, or raise server.maxValues.`,
  )

const tooDeep = (): RecapdError =>
  new RecapdError('invalid-request', 'The body nests values more than 500 levels deep; send flatter arguments.', {
    errors: [{ path: '', message: 'expected at most 500 levels' }],
  })
