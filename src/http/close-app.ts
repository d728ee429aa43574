import type { FastifyInstance } from 'fastify'

/** Long enough for an answer on its way, short compared with what a supervisor waits before it kills. */
const GRACE_MS = 500

/**
 * Stops listening once accepted work is over. A connection that never sent a request counts as busy in Node and would hold
 * this up for the 15 s its headers may take, so what is open after a moment is cut.
 */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
  }
}
