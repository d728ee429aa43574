import type { LimitsOf } from '../callers/caller-limits.ts'
import type { CallerSlots } from '../callers/caller-slots.ts'
import { createFairQueue } from '../callers/fair-queue.ts'
import type { Clock } from '../clock.ts'
import { LEAST_ATTEMPT_MS, leftMs } from '../failures/deadline.ts'
import { type CompletionRequest, type Model, wrapModel } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { ModelObserver } from '../observer.ts'
import { onAbort } from '../signals/on-abort.ts'

export interface ConcurrencyLimitOptions {
  readonly provider: string
  readonly maxConcurrency: number
  readonly queue: { readonly maxSize: number; readonly maxWaitMs: number }
  readonly observer: ModelObserver
  readonly clock: Clock
  readonly limitsOf: LimitsOf
  readonly slots: CallerSlots
}

/** Slots of one provider, shared by its models. */
export interface ConcurrencyLimit {
  /**
   * Undefined when a slot was free and is ours; else resolves when it is. Rejects with ModelError `queue_full` or
   * `queue_timeout`, or the signal's reason.
   */
  acquire(model: string, request: CompletionRequest, signal: AbortSignal): Promise<void> | undefined
  /** Gives the slot back, so that it goes to whoever is next. */
  release(request: CompletionRequest): void
  /** Slots that nobody has and nobody waits for. */
  free(): number
}

/** Somebody in the queue. */
interface Waiter {
  readonly caller: string
  admit(): void
  /** Rejects it to make room for a caller who has less than its share. */
  evict(): void
}

/** One place in sixteen is reserved for keys that hold none; where there are only a few places, none is. */
const RESERVED_ONE_IN = 16
const RESERVING_FROM = 8

const callerOf = ({ caller = '' }: CompletionRequest): string => caller

export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { provider, maxConcurrency, queue, observer, clock, limitsOf, slots } = options
  const waiting = createFairQueue<Waiter>(limitsOf)
  const held = new Map<string, number>()
  const reserve = maxConcurrency < RESERVING_FROM ? 0 : Math.ceil(maxConcurrency / RESERVED_ONE_IN)
  let inFlight = 0
  slots.onRoom(admitNext)

  /** Calls take seconds: one that holds every place makes another wait for a whole call before its own begins. */
  function hasPlace(caller: string): boolean {
    if (!slots.hasRoom(caller)) return false
    const isSharing = reserve > 0 && held.has(caller) && limitsOf(caller).leavesRoom === true
    return inFlight < maxConcurrency - (isSharing ? reserve : 0)
  }

  function take(caller: string): void {
    inFlight += 1
    held.set(caller, (held.get(caller) ?? 0) + 1)
    slots.take(caller)
  }

  function admitNext(): void {
    while (inFlight < maxConcurrency && waiting.size > 0) {
      const next = waiting.take(hasPlace)
      if (next === undefined) return
      take(next.caller)
      next.admit()
    }
  }

  function release(request: CompletionRequest): void {
    const caller = callerOf(request)
    const left = (held.get(caller) ?? 1) - 1
    if (left > 0) held.set(caller, left)
    else held.delete(caller)
    inFlight -= 1
    slots.give(caller)
    admitNext()
  }

  function wait(model: string, request: CompletionRequest, signal: AbortSignal): Promise<void> {
    const startedAt = clock.now()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (then: () => void) => {
      cancelExpiry()
      aborting[Symbol.dispose]()
      waiting.remove(waiter.caller, waiter)
      observer.queueDepth(provider, waiting.size)
      observer.queueWait(provider, (clock.now() - startedAt) / 1000, request)
      then()
    }
    const refuse = (outcome: 'queue_full' | 'queue_timeout') =>
      settle(() => {
        observer.queueRejected(provider, outcome)
        reject(new ModelError(model, outcome))
      })
    const waiter: Waiter = {
      caller: callerOf(request),
      admit: () => settle(resolve),
      evict: () => refuse('queue_full'),
    }
    waiting.push(waiter.caller, waiter)
    observer.queueDepth(provider, waiting.size)
    const cancelExpiry = clock.after(Math.min(queue.maxWaitMs, request.deadlineAt - startedAt), () =>
      refuse('queue_timeout'),
    )
    const aborting = onAbort(() => settle(() => reject(signal.reason)), signal)
    return promise
  }

  /** A full queue has room for whoever has less than its share of it. */
  function makeRoom(model: string, caller: string): void {
    if (waiting.size < queue.maxSize) return
    const evicted = queue.maxSize === 0 ? undefined : waiting.evictFor(caller)
    if (evicted === undefined) {
      observer.queueRejected(provider, 'queue_full')
      throw new ModelError(model, 'queue_full')
    }
    evicted.evict()
  }

  async function queueUp(model: string, request: CompletionRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    makeRoom(model, callerOf(request))
    await wait(model, request, signal)
    // The time may have passed in the queue, and no attempt starts with less than a second left (docs/spec/models.md §3).
    if (leftMs(request, clock) >= LEAST_ATTEMPT_MS) return
    release(request)
    observer.queueRejected(provider, 'queue_timeout')
    throw new ModelError(model, 'queue_timeout')
  }

  return {
    acquire(model, request, signal) {
      const caller = callerOf(request)
      if (signal.aborted || !hasPlace(caller)) return queueUp(model, request, signal)
      take(caller)
      return undefined
    },
    release,
    free: () => (waiting.size > 0 ? 0 : maxConcurrency - inFlight),
  }
}

/** At most maxConcurrency calls of a provider at once; the others wait in its queue, for a while (docs/spec/models.md §4). */
export function withConcurrency(
  model: Model,
  {
    limit,
    clock,
    observer,
  }: { readonly limit: ConcurrencyLimit } & Pick<ConcurrencyLimitOptions, 'clock' | 'observer'>,
): Model {
  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const turn = limit.acquire(model.id, request, signal)
    if (turn !== undefined) await turn
    const startedAt = clock.now()
    try {
      return await model.complete(request, signal)
    } finally {
      limit.release(request)
      observer.upstream((clock.now() - startedAt) / 1000, request)
    }
  }
  return wrapModel(model, complete)
}
