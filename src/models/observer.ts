import type { AttemptRow, CompletionRequest, Usage } from './model.ts'
import type { ModelErrorFacts } from './model-error.ts'

/** Whose request a call is made for; a shared call counts as that of the request that began it. */
export type Asker = Pick<CompletionRequest, 'caller' | 'requestId' | 'traceparent'>

/** One try, as it ended. */
export interface AttemptReport {
  readonly row: AttemptRow
  readonly usage: Usage
  readonly asker: Asker
  /** Of a failure: what the provider said, the errno. For the operator's log, never for a caller. */
  readonly facts?: ModelErrorFacts | undefined
}

/** What the models floor reports for counting and logging. Nothing here carries a key or a text of a conversation. */
export interface ModelObserver {
  attempt(report: AttemptReport): void
  /** From the start of a try to the first of its text. */
  firstToken(model: string, seconds: number): void
  retry(model: string, reason: string): void
  fallback(from: string, to: string): void
  queueDepth(provider: string, depth: number): void
  queueWait(provider: string, seconds: number, asker: Asker): void
  /** A call that had a slot: from getting it to giving it back. */
  upstream(seconds: number, asker: Asker): void
  queueRejected(provider: string, reason: 'queue_full' | 'queue_timeout'): void
  cache(result: 'hit' | 'miss' | 'coalesced', asker: Asker): void
  foldParts(parts: number): void
  degraded(): void
  redisUp(up: boolean): void
}

/** An observer that listens to nothing; tests override what they look at. */
export const silentObserver: ModelObserver = {
  attempt() {},
  firstToken() {},
  retry() {},
  fallback() {},
  queueDepth() {},
  queueWait() {},
  upstream() {},
  queueRejected() {},
  cache() {},
  foldParts() {},
  degraded() {},
  redisUp() {},
}
