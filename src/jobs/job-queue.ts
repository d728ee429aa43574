import { RecapdError } from '../domain/errors.ts'

/** Brings jobs to whoever runs them. */
export interface JobQueue {
  /** Throws `overloaded` when too many wait. */
  add(id: string): Promise<void>
  /** Puts an unfinished job back into the queue, however many wait; does nothing where it is still there. */
  restore(id: string): Promise<void>
  /** Takes a waiting job out of the queue. */
  remove(id: string): Promise<void>
  /** Takes no more jobs and waits for those that run here; what waits elsewhere is left to others. */
  close(): Promise<void>
  counts(): Promise<QueueCounts>
  /** Jobs that end with this process, as far as it knows: those that run here and those that wait nowhere else. */
  ownCount(): number
}

export interface QueueCounts {
  readonly queued: number
  /** In this process. */
  readonly running: number
}

/**
 * Runs one job to its end; never throws. `isAgain`: it was begun before, by a replica that died. `busy`: somebody else runs it and
 * may die, or it cannot be read now; whoever was to run it looks again later.
 */
export type RunJob = (id: string, isAgain: boolean) => Promise<'over' | 'busy'>

/** When to come again; jobs take seconds. */
const RETRY_AFTER_MS = 5_000

export const tooManyWaiting = (maxWaiting: number): RecapdError =>
  new RecapdError(
    'overloaded',
    `${maxWaiting} jobs are waiting already; send the request again later, or raise jobs.maxWaiting.`,
    {
      retryAfterMs: RETRY_AFTER_MS,
    },
  )
