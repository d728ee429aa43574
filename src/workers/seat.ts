import { asRecapdError, RecapdError } from '../domain/errors.ts'
import type { BodyCost } from '../requests/body-cost.ts'
import type { Thread, ThreadEnd } from './thread.ts'

/** One piece of long work, waiting or in a thread. */
export interface Job {
  readonly id: number
  readonly isOfWork: boolean
  readonly cost: BodyCost
  readonly queuedAt: number
  start(thread: Thread): Promise<void>
  fail(error: unknown): void
  /** The thread has begun with it. */
  isTaken: boolean
  /** Nobody waits for it any more. */
  isOver: boolean
  /** It was in a thread that ended: now it runs alone, so that it can only end itself. */
  isSuspect: boolean
}

/** A thread and what it works on. */
export interface Seat {
  readonly thread: Thread
  readonly jobs: Set<Job>
  hasTaken: boolean
}

/** Bytes of all of them together. */
export const total = (jobs: readonly Job[], of: keyof BodyCost): number =>
  jobs.reduce((bytes, { cost }) => bytes + cost[of], 0)

export const byFewest = (one: Seat, other: Seat): number => one.jobs.size - other.jobs.size

/** A pipeline in a thread mostly waits for models, so one thread holds many; the number is a bound, not a target. */
const MOST_WORKS = 64

/** Whatever fits a thread at all fits an empty one; a suspect takes no other and joins no other. */
export function hasRoom({ jobs }: Seat, job: Job, heapBytes: number): boolean {
  if (jobs.size === 0 || job.isOfWork) return true
  const present = [...jobs]
  // Parts of work are not counted: the works that fill a thread all wait for theirs.
  if (present.filter(({ isOfWork }) => !isOfWork).length >= MOST_WORKS) return false
  if (job.isSuspect || present.some(({ isSuspect }) => isSuspect)) return false
  return total(present, 'heapBytes') + job.cost.heapBytes <= heapBytes
}

/** Running out of memory is foreseen: a smaller request may succeed. Any other end is a bug, ours or a hook's. */
export const endedUnder = (reason: ThreadEnd, cause: unknown): RecapdError =>
  reason === 'exit'
    ? asRecapdError(cause)
    : new RecapdError(
        'overloaded',
        'The worker of this request ended under it, as it does when a body becomes too much; send less, or try again later.',
        { retryAfterMs: 5_000 },
      )

export const neverFits = (): RecapdError =>
  new RecapdError(
    'body-too-large',
    'Parsed, this body would take more memory than a worker has; send less or raise memory.limitMiB.',
  )
