import { LRUCache } from 'lru-cache'
import { once } from '../domain/once.ts'
import type { Clock } from '../models/clock.ts'
import { createChangeListeners } from './change-listeners.ts'
import { isOver, type JobEnd, type JobEvent, type JobRecord, type JobTask } from './job.ts'
import type { Claim, JobStore } from './job-store.ts'

export interface MemoryJobStoreOptions {
  readonly clock: Clock
  readonly ttlMs: number
  /** Of finished jobs; those longest finished go first. */
  readonly maxBytes: number
}

/** One job, whole; also what is put into Redis again when that lost its memory. */
export interface KeptJob {
  record: JobRecord
  task: JobTask | undefined
  readonly claim: JobTask['claim']
  events: JobEvent[]
  end: JobEnd | undefined
  /** Until the job is over its body counts as in flight. */
  readonly releaseBody?: (() => void) | undefined
}

export interface MemoryJobStore extends JobStore {
  kept(id: string): KeptJob | undefined
  /** Ids of all jobs: those not over, longest known first, then the others, last finished first. */
  ids(): readonly string[]
}

/** Claims are short; this is far beyond what an hour brings. */
const MOST_CLAIMS = 100_000

/** Jobs of this process. Those not yet over are bounded by the queue, finished ones by bytes and time. */
export function memoryJobStore({ clock, ttlMs, maxBytes }: MemoryJobStoreOptions): MemoryJobStore {
  const live = new Map<string, KeptJob>()
  const perf = { now: () => clock.now() }
  const over = new LRUCache<string, KeptJob>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: bytesOf,
    ttl: ttlMs,
    perf,
    ttlResolution: 0,
  })
  // With the first of them: the library makes room for all at once, four megabytes.
  const claims = once(() => new LRUCache<string, Claim>({ max: MOST_CLAIMS, ttl: ttlMs, perf, ttlResolution: 0 }))
  const listeners = createChangeListeners()
  const kept = (id: string) => live.get(id) ?? over.get(id)

  const change = (id: string, more: Partial<JobRecord>) => {
    const job = kept(id)
    if (job !== undefined) job.record = { ...job.record, ...more }
    listeners.tell(id)
  }
  return {
    kept,
    ids: () => [...live.keys(), ...over.keys()],
    async create(record, task) {
      if (kept(record.id) !== undefined) return
      live.set(record.id, {
        record,
        task,
        claim: task.claim,
        events: [],
        end: undefined,
        releaseBody: task.retainBody?.(),
      })
    },
    read: async (id) => kept(id)?.record,
    task: async (id) => live.get(id)?.task,
    end: async (id) => kept(id)?.end,
    async begin(id, startedAt, isAgain) {
      const job = live.get(id)
      if (job === undefined) return 'over'
      if (job.record.status === 'running' && !isAgain) return 'running'
      job.events = []
      change(id, { status: 'running', startedAt, progress: undefined })
      return 'begun'
    },
    async note(id, progress, events) {
      const job = live.get(id)
      if (job === undefined) return
      job.events.push(...events)
      change(id, { progress })
    },
    events: async (id, index) => kept(id)?.events.slice(index) ?? [],
    async finish(id, { status, end, finishedAt }) {
      const job = live.get(id)
      if (job === undefined || isOver(job.record.status)) return false
      live.delete(id)
      job.releaseBody?.()
      const record = { ...job.record, status, finishedAt }
      over.set(id, { record, task: undefined, claim: job.claim, events: job.events, end })
      listeners.tell(id)
      return true
    },
    async claim(name, claim) {
      const found = claims().get(name)
      // A claim whose job had to make room for others is worth nothing.
      if (found !== undefined && kept(found.id) !== undefined) return found
      claims().set(name, claim)
      return claim
    },
    async forget(name, id) {
      if (claims().get(name)?.id === id) claims().delete(name)
    },
    onChange: listeners.add,
    async close() {},
  }
}

/** What objects and headers cost beside the text. */
const JOB_BYTES = 1_024

function bytesOf({ events, end }: KeptJob): number {
  const answer = end !== undefined && 'answer' in end ? end.answer.json.length : 0
  return JOB_BYTES + answer + events.reduce((sum, [name, json]) => sum + name.length + json.length, 0)
}
