import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import type { Lifecycle } from '../http/plugins/lifecycle.ts'
import type { Jobs } from '../jobs/jobs.ts'

interface Draining {
  readonly lifecycle: Lifecycle
  readonly jobs: Pick<Jobs, 'finish' | 'ownCount'>
  readonly timing: { readonly drainDelayMs: number; readonly drainMs: number }
  readonly log: FastifyBaseLogger
  /** Ends everything; accepted work is done or given up by then. */
  close(): Promise<void>
}

const POLL_MS = 25

/** A client that polls a job every two seconds, as advised, finds the result of the last one within this. */
const FETCHED_WITHIN_MS = 2_500

/** Closing takes a moment; a store or a thread that never answers must not keep the process. */
const CLOSE_MS = 10_000

/** Events that are no request to stop: SIGHUP reloads, and a crash should leave its trace as Node writes it. */
const NOT_OURS = [
  'SIGHUP',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
  'SIGUSR2',
  'uncaughtException',
  'unhandledRejection',
  'beforeExit',
] as const

/**
 * SIGTERM or SIGINT: not ready at once, work taken for drainDelayMs while load balancers notice, then refused while what
 * was accepted finishes, at most drainMs (docs/spec/contract.md §0). Exit code 0 when all of it did, 1 when some was cut
 * or closing does not end; a second signal exits at once, with 1.
 */
export function drainOnSignal(draining: Draining): void {
  const { timing, log } = draining
  closeWithGrace(
    {
      delay: timing.drainDelayMs + timing.drainMs + CLOSE_MS,
      skip: [...NOT_OURS],
      logger: false,
      onTimeout: (ms) => log.warn(`not closed after ${ms} ms; ended all the same`),
    },
    async ({ signal }) => drain(draining, signal ?? 'stop'),
  )
}

/** Throws where work was cut, which makes the exit code 1. */
async function drain({ lifecycle, jobs, timing, log, close }: Draining, signal: string): Promise<void> {
  lifecycle.state = 'draining'
  log.info({ inflight: lifecycle.inflight, jobs: jobs.ownCount() }, `${signal}: draining`)
  await delay(timing.drainDelayMs)
  lifecycle.state = 'refusing'
  const until = Date.now() + timing.drainMs
  const hasJobs = jobs.ownCount() > 0
  const requests = () => lifecycle.inflight + lifecycle.orphans
  const over = async (unfinished: () => number) => {
    while (unfinished() > 0 && Date.now() < until) await delay(POLL_MS)
  }
  await over(requests)
  // Not before: a request may wait for a job. Those that run here end here, and who listens to one hears its end; those that wait in a
  // queue that is shared are left to others.
  void jobs.finish().catch(() => {})
  await over(jobs.ownCount)
  const cut = requests() + jobs.ownCount()
  if (cut > 0) {
    log.warn({ cut }, 'drained with work left; it is cut')
    throw new Error('work was cut')
  }
  if (hasJobs) await delay(FETCHED_WITHIN_MS)
  await close()
  log.info('drained')
}
