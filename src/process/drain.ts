import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Lifecycle } from '../http/plugins/lifecycle.ts'

interface Draining {
  readonly lifecycle: Lifecycle
  readonly timing: { readonly drainDelayMs: number; readonly drainMs: number }
  readonly log: FastifyBaseLogger
  /** Ends everything; accepted work is done or given up by then. */
  close(): Promise<void>
}

const POLL_MS = 25

/**
 * SIGTERM or SIGINT: not ready at once, work taken for drainDelayMs while load balancers notice, then refused while what
 * was accepted finishes, at most drainMs (docs/spec/contract.md §0). Exit code 0 when all of it did, 1 when some was cut; a second
 * signal exits at once.
 */
export function drainOnSignal(draining: Draining): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (draining.lifecycle.state !== 'ready') process.exit(1)
      void drain(draining, signal)
    })
  }
}

async function drain({ lifecycle, timing, log, close }: Draining, signal: string): Promise<void> {
  lifecycle.state = 'draining'
  log.info({ inflight: lifecycle.inflight }, `${signal}: draining`)
  await delay(timing.drainDelayMs)
  lifecycle.state = 'refusing'
  const until = Date.now() + timing.drainMs
  const unfinished = () => lifecycle.inflight + lifecycle.orphans
  while (unfinished() > 0 && Date.now() < until) await delay(POLL_MS)
  const cut = unfinished()
  if (cut > 0) {
    log.warn({ cut }, 'drained with work left; it is cut')
    process.exit(1)
  }
  await close()
  log.info('drained')
  process.exit(0)
}
