import type { Clock } from '../clock.ts'

export interface RetryBudgetOptions {
  /** Retries each request earns, e.g. 0.2. */
  readonly ratio: number
  readonly clock: Clock
}

/** How many retries a provider may get in all, so that its outage is not answered with a storm (docs/spec/models.md §3). */
export interface RetryBudget {
  /** A first try: earns a share of a retry. */
  deposit(): void
  /** Takes one retry; false when there is none left. */
  withdraw(): boolean
}

const CAPACITY = 10
const MIN_PER_SECOND = 3

/** A token bucket of ten: filled by requests, and by three a second so that a quiet service can retry at all. */
export function createRetryBudget({ ratio, clock }: RetryBudgetOptions): RetryBudget {
  let tokens = CAPACITY
  let filledAt = clock.now()

  function fill(): void {
    const now = clock.now()
    tokens = Math.min(CAPACITY, tokens + (Math.max(0, now - filledAt) / 1000) * MIN_PER_SECOND)
    filledAt = now
  }

  return {
    deposit() {
      tokens = Math.min(CAPACITY, tokens + ratio)
    },
    withdraw() {
      fill()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
