import type { Clock } from '../../models/clock.ts'
import { isOver, type JobRecord } from '../job.ts'
import type { KeptJob, MemoryJobStore } from '../memory-store.ts'
import type { RedisJobStore } from './redis-store.ts'

export interface ReconcileOptions {
  readonly redis: RedisJobStore
  readonly local: MemoryJobStore
  readonly clock: Clock
  readonly runningHere: ReadonlySet<string>
  /** A job that is not over: its queue may have forgotten it. */
  readonly onLost: (id: string) => Promise<void>
}

/** How long the others have to say what they are running before anything is started again. */
const SETTLE_MS = 2_000
const TOLD_AT_ONCE = 32

/** Redis is back, as it was, without its last moments, or empty: this process sends it what it knows (docs/spec/production.md §6). */
export async function reconcileJobs(options: ReconcileOptions, signal: AbortSignal): Promise<void> {
  for (const id of options.local.ids()) if (options.runningHere.has(id)) await tellLive(id, options)
  await Promise.all([tellEnds(options), tellWaiting(options, signal)])
}

/** A job that is over there is over here. */
export async function catchUp(id: string, { redis, local }: Pick<ReconcileOptions, 'redis' | 'local'>): Promise<void> {
  const there = await redis.read(id)
  if (there === undefined || there === 'gone' || !isOver(there.status)) return
  const { status, finishedAt = there.createdAt } = there
  await local.finish(id, { status, end: await redis.end(id), finishedAt })
}

const isLive = (id: string, local: MemoryJobStore): boolean => !isOver(local.kept(id)?.record.status ?? 'done')

/** There may be many after an hour: a few at a time, the latest first, which Redis most likely missed. */
async function tellEnds(options: ReconcileOptions): Promise<void> {
  const over = options.local.ids().filter((id) => !isLive(id, options.local))
  for (let at = 0; at < over.length; at += TOLD_AT_ONCE) {
    await Promise.all(over.slice(at, at + TOLD_AT_ONCE).map((id) => tell(id, options)))
  }
}

async function tellWaiting(options: ReconcileOptions, signal: AbortSignal): Promise<void> {
  await options.clock.sleep(SETTLE_MS, signal)
  for (const id of options.local.ids()) await tellLive(id, options)
}

/** Whether Redis knows the job or not: a queue that lost its last moments may have lost the row of a known job. A row that is there stays the only one. */
async function tellLive(id: string, options: ReconcileOptions): Promise<void> {
  const { local, onLost } = options
  if (isLive(id, local) && (await tell(id, options)) !== undefined && isLive(id, local)) await onLost(id)
}

/** Tells Redis of a job that it lacks, or whose end it lacks. Undefined where it could not be asked. */
async function tell(id: string, options: ReconcileOptions): Promise<'told' | undefined> {
  const { redis, local } = options
  const job = local.kept(id)
  const there = await redis.read(id)
  if (job === undefined || there === undefined) return undefined
  const { record, task, claim, events, end } = job
  if (there !== 'gone') {
    await agree(there, job, options)
    return 'told'
  }
  const open: JobRecord = isOver(record.status) ? { ...record, status: 'running' } : record
  await redis.create(open, task)
  if (claim !== undefined) await redis.claim(claim.name, { id, digest: claim.digest })
  await redis.note(id, record.progress, events)
  if (isOver(record.status)) await redis.finish(id, record.status, end, record.finishedAt ?? record.createdAt)
  return 'told'
}

async function agree(there: JobRecord, { record, events, end }: KeptJob, options: ReconcileOptions): Promise<void> {
  const { redis, clock, runningHere } = options
  const { id, status, startedAt = clock.now(), finishedAt = clock.now() } = record
  if (isOver(there.status)) return catchUp(id, options)
  if (isOver(status)) {
    await redis.finish(id, status, end, finishedAt)
  } else if (there.status === 'queued' && runningHere.has(id)) {
    // It was begun in the last moments, which Redis has forgotten: nobody else may begin it.
    await redis.begin(id, startedAt, false)
    await redis.note(id, record.progress, events)
  }
}
