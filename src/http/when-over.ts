import type { FastifyReply } from 'fastify'

/**
 * Runs once when the answer is done or its client is gone. The client may have left before anybody listened, while a key
 * was looked up or a request counted elsewhere: then `close` has been, and waiting for it would keep a count for ever.
 */
export function whenOver(reply: FastifyReply, run: () => void): void {
  if (reply.raw.destroyed) run()
  else reply.raw.once('close', run)
}
