import type { FastifyReply, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'

/** How long a request may take, and the signal that says when nobody waits any more. */
export interface RequestClock {
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number
  /** Ends the timer; call it when the answer is there. */
  stop(): void
}

/** Longer ones a timer would take for none. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Aborts when the client leaves or the deadline passes. Fastify's own `request.signal` aborts as soon as a JSON body is
 * read (aesthetics §4, trap 1), so the answer's `close` is watched instead: closed before it was ended means gone. The
 * time runs from the arrival of the request, as it does for the client: a body may have been long on its way.
 */
export function startRequestClock(request: FastifyRequest, reply: FastifyReply, requestMs: number): RequestClock {
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
  const onClose = () => {
    clearTimeout(timer)
    if (!reply.raw.writableEnded) controller.abort(new RecapdError('client-closed', 'The client went away.'))
  }
  reply.raw.on('close', onClose)
  // The client may have left while its body was still being read.
  if (reply.raw.destroyed) onClose()
  return {
    signal: controller.signal,
    deadlineAt: Date.now() + leftMs,
    stop() {
      clearTimeout(timer)
      reply.raw.off('close', onClose)
    },
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
