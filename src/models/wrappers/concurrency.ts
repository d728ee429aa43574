import type { Clock } from '../clock.ts'
import { LEAST_ATTEMPT_MS, leftMs } from '../failures/deadline.ts'
import { type CompletionRequest, type Model, ModelError, wrapModel } from '../model.ts'
import type { ModelObserver } from '../observer.ts'
import { onAbort } from '../signals/on-abort.ts'

export interface ConcurrencyLimitOptions {
  readonly provider: string
  readonly maxConcurrency: number
  readonly queue: { readonly maxSize: number; readonly maxWaitMs: number }
  readonly observer: ModelObserver
  readonly clock: Clock
}

/** Slots of one provider, shared by its models. */
export interface ConcurrencyLimit {
  /**
   * Undefined when a slot was free and is ours; else resolves when it is. Rejects with ModelError `queue_full` or
   * `queue_timeout`, or the signal's reason.
   */
  acquire(model: string, request: CompletionRequest, signal: AbortSignal): Promise<void> | undefined
  /** Gives the slot to the longest waiting, or back. */
  release(): void
}

/** A Set keeps the order of arrival and deletes anywhere in constant time, so an aborted waiter leaves no hole behind. */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { provider, maxConcurrency, queue, observer, clock } = options
  const waiting = new Set<() => void>()
  let inFlight = 0

  function release(): void {
    const [next] = waiting
    if (next === undefined) inFlight -= 1
    else next()
  }

  function wait(model: string, deadlineAt: number, signal: AbortSignal): Promise<void> {
    const startedAt = clock.now()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (then: () => void) => {
      cancelExpiry()
      aborting[Symbol.dispose]()
      waiting.delete(admit)
      observer.queueDepth(provider, waiting.size)
      observer.queueWait(provider, (clock.now() - startedAt) / 1000)
      then()
    }
    const admit = () => settle(resolve)
    const expire = () =>
      settle(() => {
        observer.queueRejected(provider, 'queue_timeout')
        reject(new ModelError(model, 'queue_timeout'))
      })
    waiting.add(admit)
    observer.queueDepth(provider, waiting.size)
    const cancelExpiry = clock.after(Math.min(queue.maxWaitMs, deadlineAt - startedAt), expire)
    const aborting = onAbort(signal, () => settle(() => reject(signal.reason)))
    return promise
  }

  async function queueUp(model: string, request: CompletionRequest, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (waiting.size >= queue.maxSize) {
      observer.queueRejected(provider, 'queue_full')
      throw new ModelError(model, 'queue_full')
    }
    await wait(model, request.deadlineAt, signal)
    // The time may have gone by in the queue, and no attempt starts that cannot have its second (models.md §3).
    if (leftMs(request, clock) >= LEAST_ATTEMPT_MS) return
    release()
    observer.queueRejected(provider, 'queue_timeout')
    throw new ModelError(model, 'queue_timeout')
  }

  return {
    acquire(model, request, signal) {
      if (signal.aborted || inFlight >= maxConcurrency) return queueUp(model, request, signal)
      inFlight += 1
      return undefined
    },
    release,
  }
}

/** At most maxConcurrency calls of a provider at once; the others wait in its queue, for a while (models.md §4). */
export function withConcurrency(model: Model, limit: ConcurrencyLimit): Model {
  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const turn = limit.acquire(model.id, request, signal)
    if (turn !== undefined) await turn
    try {
      return await model.complete(request, signal)
    } finally {
      limit.release()
    }
  }
  return wrapModel(model, complete)
}
