import type { AttemptRow, Usage } from './model.ts'

/** What the models floor tells whoever counts (http/metrics.ts). Nothing here carries a key, an id or a text. */
export interface ModelObserver {
  /** `caller`: the name of the key that pays; a shared call is paid by whoever began it. */
  attempt(row: AttemptRow, usage: Usage, caller: string | undefined): void
  retry(model: string, reason: string): void
  fallback(from: string, to: string): void
  breaker(model: string, state: 'closed' | 'half-open' | 'open'): void
  queueDepth(provider: string, depth: number): void
  queueWait(provider: string, seconds: number): void
  queueRejected(provider: string, reason: 'queue_full' | 'queue_timeout'): void
  cache(result: 'hit' | 'miss' | 'coalesced'): void
  foldParts(parts: number): void
  degraded(): void
  redisUp(up: boolean): void
}

/** An observer that listens to nothing; tests override what they look at. */
export const silentObserver: ModelObserver = {
  attempt() {},
  retry() {},
  fallback() {},
  breaker() {},
  queueDepth() {},
  queueWait() {},
  queueRejected() {},
  cache() {},
  foldParts() {},
  degraded() {},
  redisUp() {},
}
