import { DelayedError, Queue, Worker } from 'bullmq'
import type { RedisLink } from '../../models/stores/redis-link.ts'
import { type JobQueue, type RunJob, tooManyWaiting } from '../job-queue.ts'

export interface BullQueueOptions {
  readonly link: RedisLink
  readonly concurrency: number
  readonly maxWaiting: number
  /** Starts of one job; a start whose replica died counts. */
  readonly attempts: number
  readonly stalledMs: number
  readonly timeoutMs: number
  readonly run: RunJob
  /** Its last replica died, too. */
  readonly onExhausted: (id: string) => Promise<void>
}

/** The braces keep all keys of a queue on one node of a cluster. */
export const queuePrefix = (link: RedisLink): string => `${link.prefix}{queue}`

/** Counted here instead: BullMQ would drop the row before its failure is recorded. */
const NEVER_FAILS = 1_000_000_000
const CLOSE_WITHIN_MS = 3_000

/** Any replica runs any job; one that dies has its jobs taken over by the stalled check (docs/spec/production.md §2). */
export function bullQueue(options: BullQueueOptions): JobQueue {
  const { link, concurrency, maxWaiting, attempts, stalledMs, timeoutMs, run, onExhausted } = options
  const prefix = queuePrefix(link)
  const queue = new Queue('jobs', {
    prefix,
    connection: link.connect({ commandTimeout: timeoutMs, maxRetriesPerRequest: null }),
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  })
  let running = 0
  const worker = new Worker(
    'jobs',
    async (job, token) => {
      const { id, stalledCounter } = job
      if (id === undefined) return
      // Recorded here, before the row goes: a replica that dies in between leaves it to the next.
      if (stalledCounter >= attempts) return onExhausted(id)
      running += 1
      const outcome = await run(id, stalledCounter > 0).finally(() => {
        running -= 1
      })
      if (outcome === 'over') return
      await job.moveToDelayed(Date.now() + stalledMs / 2, token)
      throw new DelayedError()
    },
    {
      prefix,
      connection: link.connect({ maxRetriesPerRequest: null }),
      concurrency,
      lockDuration: stalledMs,
      stalledInterval: Math.max(500, stalledMs / 2),
      maxStalledCount: NEVER_FAILS,
    },
  )
  // The link says whether Redis is there; a lock that was lost shows as a job that somebody else has begun.
  queue.on('error', () => {})
  worker.on('error', () => {})
  return {
    async add(id) {
      const waiting = await queue.getWaitingCount()
      if (waiting >= maxWaiting && maxWaiting > 0) throw tooManyWaiting(maxWaiting)
      await queue.add('run', {}, { jobId: id })
    },
    async restore(id) {
      await queue.add('run', {}, { jobId: id })
    },
    async remove(id) {
      if (link.isUp()) await queue.remove(id).catch(() => 0)
    },
    async close() {
      await worker.close()
      await withinMs(queue.close(), CLOSE_WITHIN_MS)
    },
    async counts() {
      const queued = link.isUp() ? await queue.getWaitingCount().catch(() => 0) : 0
      return { queued, running }
    },
    ownCount: () => running,
  }
}

/** Whatever comes first: a Redis that is away would be waited for without end. */
export async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
}
