import type { Clock } from '../models/clock.ts'
import type { RedisLink } from '../models/stores/redis-link.ts'
import { isOver, type JobRecord } from './job.ts'
import type { JobStore } from './job-store.ts'
import type { MemoryJobStore } from './memory-store.ts'
import type { RedisJobStore } from './redis-store.ts'

export interface SharedJobStoreOptions {
  readonly link: RedisLink
  readonly redis: RedisJobStore
  /** Of the jobs that were taken or run here. */
  readonly local: MemoryJobStore
  readonly clock: Clock
  readonly ttlMs: number
  /** A job that was taken here, and that a Redis without memory knows nothing of: nobody else will run it. */
  readonly onLost: (id: string) => Promise<void>
}

/** So long the others have to say what they are running, before anything is begun anew. */
const SETTLE_MS = 2_000

/**
 * Redis in front of a memory store: what was taken or is run here is also known here, so that a Redis that goes away loses
 * nobody's job, and one that comes back empty is told of them (docs/spec/production.md §6).
 */
export function sharedJobStore(options: SharedJobStoreOptions): JobStore {
  const { link, redis, local, clock, ttlMs, onLost } = options
  const stop = new AbortController()
  const liveIds = () => local.ids().filter((id) => !isOver(local.kept(id)?.record.status ?? 'done'))

  /** Tells Redis of a job it has not, or whose end it has not. */
  async function tell(id: string): Promise<'known' | 'restored' | undefined> {
    const job = local.kept(id)
    const there = await redis.read(id)
    if (job === undefined || there === undefined) return undefined
    const { record, task, events, end } = job
    if (there !== 'gone') {
      if (isOver(record.status) && !isOver(there.status))
        await redis.finish(id, record.status, end, record.finishedAt ?? clock.now())
      if (isOver(there.status) && !isOver(record.status))
        await local.finish(id, { ...ended(there), end: await redis.end(id) })
      return 'known'
    }
    const open: JobRecord = isOver(record.status) ? { ...record, status: 'running' } : record
    await redis.create(open, task)
    await redis.note(id, record.progress, events)
    if (isOver(record.status)) await redis.finish(id, record.status, end, record.finishedAt ?? clock.now())
    return 'restored'
  }

  /** What was taken here and is run elsewhere is over here when it is over there: until then its body counts as in flight. */
  function followEnd(id: string): void {
    const stopFollowing = redis.onChange(id, async () => {
      const there = await redis.read(id)
      const isOverThere = there !== undefined && there !== 'gone' && isOver(there.status)
      if (isOverThere) await local.finish(id, { ...ended(there), end: await redis.end(id) })
      if (isOver(local.kept(id)?.record.status ?? 'done')) stopFollowing()
    })
  }

  /** What is run here is known here, whoever took it. */
  async function adopt(id: string): Promise<void> {
    const [there, task] = await Promise.all([redis.read(id), redis.task(id)])
    if (there !== undefined && there !== 'gone' && task !== undefined) await local.create(there, task)
  }

  async function reconcile(): Promise<void> {
    const running = local.ids().filter((id) => local.kept(id)?.record.status !== 'queued')
    for (const id of running) await tell(id)
    await clock.sleep(SETTLE_MS, stop.signal)
    for (const id of liveIds()) if ((await tell(id)) === 'restored') await onLost(id)
  }
  link.onUp(() => void reconcile().catch(() => {}))
  const timer = setInterval(() => void redis.keep(liveIds()), Math.max(200, Math.min(ttlMs / 3, 60_000)))
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
      await redis.create(record, task)
    },
    async read(id) {
      const there = await redis.read(id)
      if (there !== undefined && there !== 'gone') return there
      return local.read(id)
    },
    task: async (id) => (await redis.task(id)) ?? (await local.task(id)),
    end: async (id) => (await redis.end(id)) ?? (await local.end(id)),
    async begin(id, startedAt, isAgain) {
      const begun = await redis.begin(id, startedAt, isAgain)
      if (local.kept(id) === undefined) await adopt(id)
      // A Redis that came back empty says no to what only this process knows.
      const mayBegin = begun ?? true
      if (!mayBegin && (await redis.read(id)) !== 'gone') return false
      return (await local.begin(id, startedAt, isAgain)) || begun === true
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
      const there = await redis.finish(id, finish.status, finish.end, finish.finishedAt)
      return there ?? here
    },
    async claim(name, claim) {
      return (await redis.claim(name, claim)) ?? local.claim(name, claim)
    },
    async forget(name) {
      await local.forget(name)
      await redis.forget(name)
    },
    async close() {
      stop.abort()
      clearInterval(timer)
    },
  }
}

const ended = ({ status, finishedAt, createdAt }: JobRecord) => ({
  status: isOver(status) ? status : ('failed' as const),
  finishedAt: finishedAt ?? createdAt,
})
