import { RecapdError } from '../../domain/errors.ts'
import type { Clock } from '../../models/clock.ts'
import type { RedisLink } from '../../models/stores/redis-link.ts'
import { isOver } from '../job.ts'
import type { JobStore } from '../job-store.ts'
import type { MemoryJobStore } from '../memory-store.ts'
import { insist, READ_PATIENCE_MS } from './insist.ts'
import { catchUp, reconcileJobs } from './reconcile-jobs.ts'
import type { RedisJobStore } from './redis-store.ts'

export interface SharedJobStoreOptions {
  readonly link: RedisLink
  readonly redis: RedisJobStore
  /** Of the jobs that were taken or run here. */
  readonly local: MemoryJobStore
  readonly clock: Clock
  readonly ttlMs: number
  readonly stalledMs: number
  /** A job that was taken or is run here and is not over, when Redis is back: its queue may have forgotten it. */
  readonly onLost: (id: string) => Promise<void>
}

/**
 * Redis in front of a memory store: what was taken or is run here is also known here, so that a Redis that goes away loses
 * nobody's job, and one that comes back empty gets them again (docs/spec/production.md §6).
 */
export function sharedJobStore(options: SharedJobStoreOptions): JobStore {
  const { link, redis, local, clock, ttlMs, stalledMs, onLost } = options
  const stop = new AbortController()
  const liveHere = (id: string) => !isOver(local.kept(id)?.record.status ?? 'done')
  const liveIds = () => local.ids().filter(liveHere)

  /** What was taken here and is run elsewhere is over here when it is over there: until then its body counts as in flight. */
  function followEnd(id: string): void {
    const stopFollowing = redis.onChange(id, () => void catchUp(id, options))
    // Whoever ended it: while Redis is away nothing is heard from there.
    const stopWatching = local.onChange(id, () => {
      if (liveHere(id)) return
      stopFollowing()
      stopWatching()
    })
  }

  /** What only Redis knows is not unknown because Redis is away: callers are asked to come again. */
  async function whenBack<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await insist(link, look, READ_PATIENCE_MS)
    if (found === undefined && !link.isUp()) throw away()
    return found
  }

  /** What is run here is known here, whoever took it. */
  async function adopt(id: string): Promise<void> {
    const [there, task] = await Promise.all([redis.read(id), redis.task(id)])
    if (there !== undefined && there !== 'gone' && task !== undefined) await local.create(there, task)
  }

  const runningHere = new Set<string>()
  const beat = () => void (runningHere.size > 0 && redis.beat([...runningHere]))
  const heart = setInterval(beat, stalledMs / 4)
  heart.unref()
  let upAtMs = Number.NEGATIVE_INFINITY
  // Whoever runs a job was cut off from Redis as well, and may come back later than this replica.
  const isSettling = () => clock.now() - upAtMs < stalledMs
  link.onUp(() => {
    upAtMs = clock.now()
    beat()
    void reconcileJobs({ ...options, runningHere }, stop.signal).catch(() => {})
  })
  const look = async () => {
    await redis.keep(liveIds())
    // The word of an end may have been lost with a connection, and a row of the queue with whatever broke.
    for (const id of liveIds().filter((one) => !runningHere.has(one))) {
      await catchUp(id, options)
      if (liveHere(id) && link.isUp()) await onLost(id)
    }
  }
  const timer = setInterval(() => void look().catch(() => {}), Math.max(200, Math.min(ttlMs / 3, 60_000)))
  timer.unref()

  return {
    onChange(id, listener) {
      const stops = [local.onChange(id, listener), redis.onChange(id, listener)]
      return () => {
        for (const stopOne of stops) stopOne()
      }
    },
    async create(record, task) {
      await local.create(record, task)
      followEnd(record.id)
      await insist(link, () => redis.create(record, task))
    },
    async read(id) {
      const there = await redis.read(id)
      if (there !== undefined && there !== 'gone') return there
      const here = await local.read(id)
      if (here !== undefined || there === 'gone') return here
      const again = await whenBack(() => redis.read(id))
      return again === 'gone' ? undefined : again
    },
    task: async (id) => (await redis.task(id)) ?? (await local.task(id)),
    async end(id) {
      const known = (await redis.end(id)) ?? (await local.end(id))
      return known !== undefined || link.isUp() ? known : whenBack(() => redis.end(id))
    },
    async begin(id, startedAt, isAgain) {
      const there = await insist(link, () => redis.begin(id, startedAt, isSettling()))
      if (there === 'begun' && local.kept(id) === undefined) await adopt(id)
      // A job that is not known here, while Redis cannot be asked, may still have to be done.
      if (there === 'running' || (there === undefined && local.kept(id) === undefined)) return 'running'
      // A Redis that came back empty says no to what only this process knows.
      if (there === 'over' && (await redis.read(id)) !== 'gone') return 'over'
      const here = await local.begin(id, startedAt, isAgain || there === 'begun')
      if (there !== 'begun' && here !== 'begun') return here
      runningHere.add(id)
      return 'begun'
    },
    async note(id, progress, events) {
      await local.note(id, progress, events)
      await redis.note(id, progress, events)
    },
    events: async (id, index) => {
      const there = await redis.events(id, index)
      return there === undefined || (there.length === 0 && index === 0) ? local.events(id, index) : there
    },
    async finish(id, finish) {
      const here = await local.finish(id, finish)
      runningHere.delete(id)
      const { status, end, finishedAt } = finish
      // Until Redis knows it the queue must hold the job, or it would be lost with this process.
      return (await insist(link, () => redis.finish(id, status, end, finishedAt))) ?? here
    },
    async claim(name, claim) {
      return (await insist(link, () => redis.claim(name, claim))) ?? local.claim(name, claim)
    },
    async forget(name, id) {
      await local.forget(name, id)
      await redis.forget(name, id)
    },
    async close() {
      stop.abort()
      clearInterval(timer)
      clearInterval(heart)
    },
  }
}

const away = (): RecapdError =>
  new RecapdError('overloaded', 'Redis, which holds the jobs of all replicas, is out of reach; ask again.', {
    retryAfterMs: 1_000,
  })
