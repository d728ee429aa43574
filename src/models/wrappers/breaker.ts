import type { Clock } from '../clock.ts'
import { type AttemptOutcome, type CompletionRequest, type Model, wrapModel } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { Store } from '../stores/store.ts'

export interface BreakerOptions {
  readonly model: string
  readonly failureThreshold: number
  readonly cooldownMs: number
  readonly store: Store
  readonly clock: Clock
}

export type BreakerState = 'closed' | 'half-open' | 'open'

/** Whether one model may be asked now, by its recent failures. */
export interface Breaker {
  /** Its state now, also where time alone or another replica has changed it. */
  state(): BreakerState
  /** ModelError `breaker_open` when no call would be let through now. */
  refusal(): ModelError | undefined
  /** For a call that is about to be made: throws that refusal, or says whether the call is the probe. */
  enter(): { readonly probe: boolean }
  /** Every call that was let in reports its end here, whatever that was. */
  settle(call: { readonly probe: boolean }, outcome: AttemptOutcome): void
}

/** The model's own fault. Refused requests, keys, limits, queues and callers who left say nothing about its health. */
const FAULTS: ReadonlySet<AttemptOutcome> = new Set(['timeout', 'network', 'server_error', 'bad_response', 'empty'])
/** Nobody knows how long a probe will take; a second is a fair time to ask again. */
const PROBE_RETRY_MS = 1000

/** Opens after a number of faults in a row, lets one probe through after the cooldown, closes on a success (docs/spec/models.md §4). */
export function createBreaker(options: BreakerOptions): Breaker {
  const { model, failureThreshold, cooldownMs, store, clock } = options
  const mark = `breaker:${model}`
  let faults = 0
  let tripped = false
  let probing = false

  function state(): BreakerState {
    // The mark may be another replica's: it opens this breaker too, and leaves it half-open afterwards.
    if (store.until(mark) > clock.now()) tripped = true
    else return tripped ? 'half-open' : 'closed'
    return 'open'
  }

  function open(): void {
    tripped = true
    faults = 0
    store.mark(mark, clock.now() + cooldownMs)
  }

  function close(): void {
    tripped = false
    faults = 0
    store.clear(mark)
  }

  function refusal(): ModelError | undefined {
    const now = state()
    if (now === 'closed' || (now === 'half-open' && !probing)) return undefined
    const retryAfterMs = Math.max(PROBE_RETRY_MS, store.until(mark) - clock.now())
    return new ModelError(model, 'breaker_open', { retryAfterMs })
  }

  return {
    state,
    refusal,
    enter() {
      const refused = refusal()
      if (refused !== undefined) throw refused
      const probe = state() !== 'closed'
      if (probe) probing = true
      return { probe }
    },
    settle(call, outcome) {
      if (call.probe) probing = false
      // Calls begun before the breaker opened prove nothing now; only the probe decides.
      if (tripped && !call.probe) return
      if (outcome === 'ok') close()
      else if (FAULTS.has(outcome)) {
        faults += 1
        if (call.probe || faults >= failureThreshold) open()
      }
    },
  }
}

/** Keeps the queue in front of the model from growing while its breaker is open: calls that could not be let through are refused at once. */
export function withEarlyRefusal(model: Model, breaker: Breaker): Model {
  return wrapModel(model, (request, signal) => {
    const refused = breaker.refusal()
    return refused === undefined ? model.complete(request, signal) : Promise.reject(refused)
  })
}

/** Makes no request while the model's breaker is open. Checked again after the queue: the breaker may have opened meanwhile. */
export function withBreaker(model: Model, breaker: Breaker): Model {
  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const call = breaker.enter()
    let outcome: AttemptOutcome = 'aborted'
    try {
      const completion = await model.complete(request, signal)
      outcome = 'ok'
      return completion
    } catch (error) {
      if (error instanceof ModelError && !signal.aborted) outcome = error.outcome
      throw error
    } finally {
      breaker.settle(call, outcome)
    }
  }
  return wrapModel(model, complete)
}
