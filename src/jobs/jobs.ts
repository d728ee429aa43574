import { randomUUID } from 'node:crypto'
import type { RecapdError } from '../domain/errors.ts'
import type { Clock } from '../models/clock.ts'
import { uncrossError, type WorkCall } from '../requests/call.ts'
import { claimOf, mismatch } from './idempotency.ts'
import { isOver, type JobEnd, type JobEvent, type JobRecord, type JobTask } from './job.ts'
import type { JobQueue, QueueCounts } from './job-queue.ts'
import type { Claim, JobStore } from './job-store.ts'

/** What the HTTP floor asks of jobs. Every method takes the owner: to anybody else a job does not exist. */
export interface Jobs {
  /** Throws `overloaded` or `idempotency-mismatch`. */
  submit(submission: Submission): Promise<Submitted>
  find(id: string, owner: string): Promise<JobRecord | undefined>
  end(id: string): Promise<JobEnd | undefined>
  /** Waits until the job is over, at most `ms`; its record then. */
  settled(id: string, ms: number, signal: AbortSignal): Promise<JobRecord | undefined>
  /** From the first event on, to the end of the job. */
  events(id: string, signal: AbortSignal): AsyncGenerator<JobEvent>
  cancel(id: string): Promise<JobRecord | undefined>
  counts(): Promise<QueueCounts>
  /** Jobs that would be cut if the process ended now. */
  ownCount(): number
  /** Takes no more jobs and waits for those above; everything else still answers. */
  finish(): Promise<void>
  close(): Promise<void>
}

export interface Submission {
  readonly call: WorkCall
  readonly path: string
  readonly owner: string
  readonly timeoutMs: number
  readonly idempotencyKey?: string | undefined
  readonly retainBody: NonNullable<JobTask['retainBody']>
}

export interface Submitted {
  readonly job: JobRecord
  /** True: an Idempotency-Key led to a job that was there already. */
  readonly isReplay: boolean
}

export interface JobsParts {
  readonly store: JobStore
  readonly queue: JobQueue
  readonly clock: Clock
  /** May the same request succeed later? Then its failure is not remembered under an Idempotency-Key. */
  readonly isRetryable: (error: RecapdError) => boolean
  readonly onCancelled: (id: string) => Promise<void>
  /** Closes what store and queue use. */
  readonly close: () => Promise<void>
}

/** A change may have been missed while Redis was away. */
const LOOK_AGAIN_MS = 1_000
const COMES_WITHIN_MS = 2_000
const COMES_LOOK_MS = 25

export function createJobs({ store, queue, clock, isRetryable, onCancelled, close }: JobsParts): Jobs {
  async function submit(submission: Submission): Promise<Submitted> {
    const { call, owner, idempotencyKey } = submission
    const id = randomUUID()
    if (idempotencyKey === undefined) return take(id, submission)
    const claim = await claimOf({ owner, idempotencyKey, call })
    const holder = await store.claim(claim.name, { id, digest: claim.digest })
    if (holder.id === id) return take(id, submission, claim)
    const job = await replayOf(holder, claim.digest)
    if (job === 'none') {
      await store.forget(claim.name, holder.id)
      return submit(submission)
    }
    return job === undefined ? writeFor(holder.id, submission, claim) : { job, isReplay: true }
  }

  async function take(id: string, submission: Submission, claim?: JobTask['claim']): Promise<Submitted> {
    const job = await write(id, submission, claim)
    try {
      await queue.add(id)
    } catch (error) {
      await store.finish(id, { status: 'cancelled', finishedAt: clock.now() })
      if (claim !== undefined) await store.forget(claim.name, id)
      throw error
    }
    return { job: (await store.read(id)) ?? job, isReplay: false }
  }

  /** Whoever claimed it died before it was written down, or still waits for Redis: under the same id it stays one job either way. */
  async function writeFor(id: string, submission: Submission, claim: JobTask['claim']): Promise<Submitted> {
    const job = await write(id, submission, claim)
    await queue.add(id)
    return { job: (await store.read(id)) ?? job, isReplay: true }
  }

  async function write(id: string, submission: Submission, claim: JobTask['claim']): Promise<JobRecord> {
    const { call, path, owner, timeoutMs, retainBody } = submission
    const { requestId } = call.context
    const job: JobRecord = { id, owner, path, requestId, status: 'queued', createdAt: clock.now() }
    await store.create(job, { call, timeoutMs, claim, retainBody })
    return job
  }

  /** The job a key leads to; `none` where it leads to none any more, undefined where it is not written down. Throws when it was given to another request. */
  async function replayOf(holder: Claim, digest: string): Promise<JobRecord | 'none' | undefined> {
    const isOurs = holder.digest === digest
    const job = isOurs ? await held(holder.id) : await store.read(holder.id)
    if (job !== undefined && isOver(job.status) && (await isWithoutAnswer(job.id))) return 'none'
    if (!isOurs) throw mismatch()
    // The replica that took it may have died before the job was in the line: nobody else would ever put it there.
    if (job !== undefined && !isOver(job.status)) await queue.restore(job.id)
    return job
  }

  /** Of a job that is over: it was cancelled, or failed in a way that may pass. Judged by whoever asks again, for who ran it may have died since. */
  async function isWithoutAnswer(id: string): Promise<boolean> {
    const end = await store.end(id)
    return end === undefined || ('error' in end && isRetryable(uncrossError(end.error)))
  }

  /** A claim is there before its job. */
  async function held(id: string): Promise<JobRecord | undefined> {
    const until = clock.now() + COMES_WITHIN_MS
    for (;;) {
      const job = await store.read(id)
      if (job !== undefined || clock.now() >= until) return job
      await clock.sleep(COMES_LOOK_MS, new AbortController().signal)
    }
  }

  async function settled(id: string, ms: number, signal: AbortSignal): Promise<JobRecord | undefined> {
    const until = clock.now() + ms
    for (;;) {
      const { changed, stop } = nextChange(id)
      try {
        const job = await store.read(id)
        const leftMs = until - clock.now()
        if (job === undefined || isOver(job.status) || leftMs <= 0 || signal.aborted) return job
        await firstOf(changed, Math.min(leftMs, LOOK_AGAIN_MS), signal)
      } finally {
        stop()
      }
    }
  }

  async function* events(id: string, signal: AbortSignal): AsyncGenerator<JobEvent> {
    let seen = 0
    while (!signal.aborted) {
      const { changed, stop } = nextChange(id)
      try {
        // In this order: what is written before the end is there once the end is seen.
        const job = await store.read(id)
        const more = await store.events(id, seen)
        seen += more.length
        yield* more
        if (job === undefined || isOver(job.status)) return
        if (more.length === 0) await firstOf(changed, LOOK_AGAIN_MS, signal)
      } finally {
        stop()
      }
    }
  }

  function nextChange(id: string): { readonly changed: Promise<void>; stop(): void } {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { changed: promise, stop: store.onChange(id, resolve) }
  }

  async function firstOf(changed: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    await Promise.race([changed, clock.sleep(ms, either).catch(() => {})])
    over.abort()
  }

  return {
    submit,
    settled,
    events,
    async find(id, owner) {
      const job = await store.read(id)
      return job?.owner === owner ? job : undefined
    },
    end: store.end,
    async cancel(id) {
      if (await store.finish(id, { status: 'cancelled', finishedAt: clock.now() })) {
        await queue.remove(id)
        await onCancelled(id)
      }
      return store.read(id)
    },
    counts: queue.counts,
    ownCount: queue.ownCount,
    finish: queue.close,
    async close() {
      await queue.close()
      await close()
    },
  }
}
