import type { Clock } from '../clock.ts'
import { LEAST_ATTEMPT_MS, leftMs } from '../failures/deadline.ts'
import { type CompletionRequest, type Model, ModelError } from '../model.ts'
import type { ModelObserver } from '../observer.ts'
import { wrapModel } from '../wrap-model.ts'

export interface GateOptions {
  readonly provider: string
  readonly maxConcurrency: number
  readonly queue: { readonly maxSize: number; readonly maxWaitMs: number }
  readonly observer: ModelObserver
  readonly clock: Clock
}

/** Slots of one provider, shared by its models. */
export interface Gate {
  /**
   * Undefined when a slot was free and is ours; else resolves when it is. Rejects with ModelError `queue_full` or
   * `queue_timeout`, or the signal's reason.
   */
  enter(model: string, request: Waiting, signal: AbortSignal): Promise<void> | undefined
  /** Gives the slot to the longest waiting, or back. */
  leave(): void
}

/** What of a request says how long somebody waits for it. */
type Waiting = Pick<CompletionRequest, 'deadlineAt' | 'listener'>

/** A Set keeps the order of arrival and deletes anywhere in constant time, so an aborted waiter leaves no hole behind. */
export function createGate(options: GateOptions): Gate {
  const { provider, maxConcurrency, queue, observer, clock } = options
  const waiting = new Set<() => void>()
  let inFlight = 0

  function leave(): void {
    const [next] = waiting
    if (next === undefined) inFlight -= 1
    else next()
  }

  function wait(model: string, deadlineAt: number, signal: AbortSignal): Promise<void> {
    const startedAt = clock.now()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      waiting.delete(admit)
      observer.queueDepth(provider, waiting.size)
      observer.queueWait(provider, (clock.now() - startedAt) / 1000)
    }
    const admit = () => {
      settle()
      resolve()
    }
    const abort = () => {
      settle()
      reject(signal.reason)
    }
    const expire = () => {
      settle()
      observer.queueRejected(provider, 'queue_timeout')
      reject(new ModelError(model, 'queue_timeout'))
    }
    const timer = setTimeout(expire, Math.max(0, Math.min(queue.maxWaitMs, deadlineAt - startedAt)))
    signal.addEventListener('abort', abort)
    waiting.add(admit)
    observer.queueDepth(provider, waiting.size)
    return promise
  }

  async function standInLine(model: string, request: Waiting, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (waiting.size >= queue.maxSize) {
      observer.queueRejected(provider, 'queue_full')
      throw new ModelError(model, 'queue_full')
    }
    await wait(model, request.deadlineAt, signal)
    // The time may have gone by in line, and no attempt starts that cannot have its second (models.md §3).
    if (leftMs(request, clock) >= LEAST_ATTEMPT_MS) return
    leave()
    observer.queueRejected(provider, 'queue_timeout')
    throw new ModelError(model, 'queue_timeout')
  }

  return {
    enter(model, request, signal) {
      if (signal.aborted || inFlight >= maxConcurrency) return standInLine(model, request, signal)
      inFlight += 1
      return undefined
    },
    leave,
  }
}

/** At most maxConcurrency calls of a provider at once; the others wait in line, for a while (models.md §4). */
export function withGate(model: Model, gate: Gate): Model {
  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const turn = gate.enter(model.id, request, signal)
    if (turn !== undefined) await turn
    try {
      return await model.complete(request, signal)
    } finally {
      gate.leave()
    }
  }
  return wrapModel(model, complete)
}
