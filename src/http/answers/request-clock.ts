import type { FastifyReply, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'

/** How long a request may take, and the signal that says when nobody waits any more. */
export interface RequestClock {
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number
  /** What the request may take, from its arrival. */
  readonly timeoutMs: number
  /** True once the caller has left so late that the work is finished for its retry (docs/spec/production.md §2). */
  isOrphaned(): boolean
  /** Ends the timer; call it when the answer is there. */
  stop(): void
}

/** A timer would take a longer time for none. */
const LONGEST_MS = 2 ** 31 - 1

export interface ClockLimits {
  readonly requestMs: number
  /** A caller who leaves earlier has cancelled; one who leaves later has lost patience, or its proxy cut it off. */
  readonly orphanAfterMs: number
}

/**
 * Aborts when the client leaves early or the deadline passes. Fastify's own `request.signal` aborts as soon as a JSON body is
 * read, so the answer's `close` is watched instead: closed before it was ended means gone. The
 * time runs from the arrival of the request, as it does for the client: a body may have been long on its way.
 */
export function startRequestClock(
  request: FastifyRequest,
  reply: FastifyReply,
  { requestMs, orphanAfterMs, onOrphaned }: ClockLimits & { readonly onOrphaned?: () => void },
): RequestClock {
  const timeoutMs = Math.min(requestMs, askedTimeoutMs(request))
  const leftMs = Math.min(LONGEST_MS, Math.max(0, timeoutMs - (performance.now() - request.startedAt)))
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(
      new RecapdError(
        'deadline-exceeded',
        `No answer within ${timeoutMs} ms; send less, or raise x-request-timeout-ms or timeouts.requestMs.`,
      ),
    )
  }, leftMs)
  let isOrphaned = false
  const onClose = () => {
    if (reply.raw.writableEnded) return clearTimeout(timer)
    isOrphaned = performance.now() - request.startedAt >= orphanAfterMs
    if (isOrphaned) return onOrphaned?.()
    clearTimeout(timer)
    controller.abort(new RecapdError('client-closed', 'The client went away.'))
  }
  reply.raw.on('close', onClose)
  // The client may have left while its body was still being read.
  if (reply.raw.destroyed) onClose()
  return {
    signal: controller.signal,
    deadlineAt: Date.now() + leftMs,
    timeoutMs,
    isOrphaned: () => isOrphaned,
    stop() {
      clearTimeout(timer)
      reply.raw.off('close', onClose)
    },
  }
}

/** Work whose caller lost patience, from then on. */
export interface Orphans {
  begun(): void
  ended(result: 'done' | 'failed'): void
}

/** Runs the work of one request under its clock, and reports how it ended where nobody waits for it any more. */
export async function onTheClock<T>(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { limits, orphans }: { readonly limits: ClockLimits; readonly orphans: Orphans },
  work: (clock: RequestClock) => Promise<T>,
): Promise<T> {
  const clock = startRequestClock(request, reply, { ...limits, onOrphaned: orphans.begun })
  const releaseBody = request.retainBody()
  const { promise, resolve: workIsOver } = Promise.withResolvers<void>()
  request.working = promise
  try {
    const result = await work(clock)
    if (clock.isOrphaned()) orphans.ended('done')
    return result
  } catch (error) {
    if (clock.isOrphaned()) orphans.ended('failed')
    throw error
  } finally {
    releaseBody()
    clock.stop()
    workIsOver()
  }
}

function askedTimeoutMs(request: FastifyRequest): number {
  const header = request.headers['x-request-timeout-ms']
  if (header === undefined) return Number.POSITIVE_INFINITY
  if (typeof header === 'string' && /^\d{1,12}$/.test(header) && Number(header) >= 1) return Number(header)
  throw new RecapdError(
    'invalid-request',
    'The header x-request-timeout-ms must be a whole number of milliseconds, 1 or more.',
    {
      errors: [
        { path: '/headers/x-request-timeout-ms', message: 'expected a whole number of milliseconds, 1 or more' },
      ],
    },
  )
}
