import { asRecapdError } from '../domain/errors.ts'
import type { Clock } from '../models/clock.ts'
import { onAbort } from '../models/signals/on-abort.ts'
import type { BodyCost } from '../requests/body-cost.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { byFewest, endedUnder, hasRoom, type Job, neverFits, type Seat, total } from './seat.ts'
import type { Thread, ThreadEnd } from './thread.ts'

/** One piece of long work. */
export interface PoolTask<Result> {
  readonly cost: BodyCost
  /** Part of work that a thread has taken already: it waits for no memory, or the two would wait for each other. */
  readonly isOfWork?: boolean | undefined
  /**
   * Hands it to a thread; called once more where that thread ended under it. `id` is what the thread says when it takes it.
   * Resolves with a function that gives the result or throws; rejects only when the thread ended.
   */
  start(thread: Thread, id: number): Promise<() => Result>
}

export interface ThreadPool {
  /** Rejects with the signal's reason, or `overloaded` where the work ended its own thread. */
  run<Result>(work: PoolTask<Result>, signal: AbortSignal): Promise<Result>
  /** A thread has begun with that piece of work. */
  taken(id: number): void
  /** True while work waits and no thread has taken any for 5 s. */
  isStarved(): boolean
  close(): Promise<void>
}

export interface ThreadPoolOptions {
  readonly budget: MemoryBudget
  readonly clock: Clock
  readonly startThread: (onOver: (reason: ThreadEnd, cause: unknown) => void) => Thread
  readonly onEnded: (reason: ThreadEnd, cause: unknown) => void
}

/** Work that has not stopped this long after its abort has its thread ended. */
const STOP_MS = 1_000
const STARVED_MS = 5_000

/**
 * Threads by memory: each takes work until what it would become fills its heap, the rest waits in the order in which it came.
 * When a thread ends, the other work in it is started once more, each piece alone (docs/spec/hostile.md §1, §6).
 */
export function threadPool({ budget, clock, startThread, onEnded }: ThreadPoolOptions): ThreadPool {
  const seats = new Set<Seat>()
  const placed = new Map<number, Job>()
  let waiting: Job[] = []
  let nextId = 0
  let lastTakenAt = 0

  function place(): void {
    for (let job = waiting[0]; job !== undefined; job = waiting[0]) {
      const seat = seatFor(job)
      if (seat === undefined) return
      waiting.shift()
      begin(job, seat)
    }
  }

  function seatFor(job: Job): Seat | undefined {
    const inMain = total([...placed.values()], 'mainBytes')
    if (inMain > 0 && inMain + job.cost.mainBytes > budget.mainBytes) return undefined
    const [best] = [...seats].filter((seat) => hasRoom(seat, job, budget.threadHeapBytes)).sort(byFewest)
    const hasFreeThread = seats.size < budget.threads
    return hasFreeThread && (best === undefined || best.jobs.size > 0) ? newSeat() : best
  }

  function newSeat(): Seat {
    const seat: Seat = {
      thread: startThread((reason, cause) => onOver(seat, reason, cause)),
      jobs: new Set(),
      hasTaken: false,
    }
    seats.add(seat)
    return seat
  }

  function begin(job: Job, seat: Seat): void {
    seat.jobs.add(job)
    placed.set(job.id, job)
    void job.start(seat.thread).finally(() => {
      if (!seats.has(seat)) return
      leave(job, seat)
      place()
    })
  }

  function leave(job: Job, seat: Seat): void {
    seat.jobs.delete(job)
    placed.delete(job.id)
  }

  function onOver(seat: Seat, reason: ThreadEnd, cause: unknown): void {
    seats.delete(seat)
    onEnded(reason, cause)
    const jobs = [...seat.jobs]
    const begun = jobs.filter(({ isTaken, isOver }) => isTaken && !isOver)
    for (const job of jobs) leave(job, seat)
    const again: Job[] = []
    for (const job of jobs) {
      if (job.isOver) continue
      if (!seat.hasTaken) job.fail(asRecapdError(cause))
      else if (job.isTaken && (job.isSuspect || (reason !== 'deadline' && begun.length === 1)))
        job.fail(endedUnder(reason, cause))
      else {
        job.isSuspect ||= job.isTaken
        job.isTaken = false
        again.push(job)
      }
    }
    waiting = [...again, ...waiting]
    place()
  }

  function endWhereStuck(job: Job): void {
    if (!job.isTaken) return
    clock.after(STOP_MS, () => {
      const seat = [...seats].find(({ jobs }) => jobs.has(job))
      seat?.thread.end('deadline')
    })
  }

  return {
    async run(work, signal) {
      if (work.cost.heapBytes > budget.threadHeapBytes) throw neverFits()
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work.start>>>()
      const job: Job = {
        id: nextId++,
        isOfWork: work.isOfWork === true,
        cost: work.cost,
        queuedAt: clock.now(),
        // A rejection because the thread ended: `onOver` has dealt with that.
        start: (thread) => work.start(thread, job.id).then(resolve, () => {}),
        fail: reject,
        isTaken: false,
        isOver: false,
        isSuspect: false,
      }
      const onAborted = () => {
        job.isOver = true
        endWhereStuck(job)
        // Work that is in a thread reports its own end, as long as the thread still listens.
        if (!waiting.includes(job)) return
        waiting = waiting.filter((other) => other !== job)
        reject(signal.reason)
      }
      const aborting = onAbort(onAborted, signal)
      waiting = job.isOfWork ? [job, ...waiting] : [...waiting, job]
      place()
      try {
        return (await promise)()
      } finally {
        job.isOver = true
        aborting[Symbol.dispose]()
      }
    },
    taken(id) {
      lastTakenAt = clock.now()
      const job = placed.get(id)
      if (job === undefined) return
      job.isTaken = true
      for (const seat of seats) if (seat.jobs.has(job)) seat.hasTaken = true
    },
    isStarved() {
      const untaken = [...waiting, ...placed.values()].filter(({ isTaken, isOver }) => !isTaken && !isOver)
      const oldest = Math.min(...untaken.map(({ queuedAt }) => queuedAt))
      return untaken.length > 0 && clock.now() - Math.max(oldest, lastTakenAt) >= STARVED_MS
    },
    async close() {
      await Promise.all([...seats].map(({ thread }) => thread.close()))
    },
  }
}
