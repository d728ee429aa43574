import type { FastifyInstance } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Work is refused while draining; health checks are not. */
    work?: boolean
  }
}

/** Whether the service takes work; turned by main on SIGTERM (docs/spec/contract.md §0, draining). */
export interface Lifecycle {
  /** `ready` → `draining` (work still taken, readyz 503) → `refusing` (new work gets 503). */
  state: 'ready' | 'draining' | 'refusing'
  /** Accepted pieces of work not yet answered. */
  inflight: number
  /** Flights that are finished for the retry of a caller who left. */
  orphans: number
}

export const createLifecycle = (): Lifecycle => ({ state: 'ready', inflight: 0, orphans: 0 })

/** Refuses new work while refusing, closes connections while draining, counts what is under way. */
export function registerLifecycle(
  app: FastifyInstance,
  lifecycle: Lifecycle,
  inflight: (change: 1 | -1) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Node would keep idle connections for over a minute and shutting down would wait for them.
    if (lifecycle.state !== 'ready') reply.header('connection', 'close')
    if (request.routeOptions.config.work !== true) return done()
    if (lifecycle.state === 'refusing') {
      throw new RecapdError(
        'draining',
        'This instance is shutting down; send the request again, another one will take it.',
        { retryAfterMs: 1_000 },
      )
    }
    lifecycle.inflight += 1
    inflight(1)
    reply.raw.on('close', () => {
      lifecycle.inflight -= 1
      inflight(-1)
    })
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (lifecycle.state !== 'ready') reply.header('connection', 'close')
    done(null, payload)
  })
}
