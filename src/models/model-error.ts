import type { AttemptOutcome, AttemptRow, Completion, Usage } from './model.ts'

/** What a provider said of a failure, for the operator's log alone: cleaned, keys masked, nothing of the prompt. */
export interface ProviderWords {
  readonly code?: string | undefined
  readonly type?: string | undefined
  /** At most 200 characters. */
  readonly message?: string | undefined
  /** The provider's own id of the request. */
  readonly requestId?: string | undefined
}

/** An answer that was refused and may yet be the best there is (docs/spec/truth.md §8). */
export interface Leftover {
  readonly completion: Completion
  /** Share of the facts that it holds, 0 to 1. */
  readonly score: number
  /** Cut, few facts or another language, no summary at all. */
  readonly why: 'cut' | 'soft' | 'none'
  /** It may be taken when nobody does better. */
  readonly isUsable: boolean
}

/** What is known of a failure beyond its outcome; decided where the error is made (classify.ts), never guessed later. */
export interface ModelErrorFacts {
  readonly status?: number | undefined
  /** Errno, TLS code or undici's code of a connection that failed. */
  readonly code?: string | undefined
  readonly said?: ProviderWords | undefined
  /** The provider's hint, or the time until a breaker or key is free again. */
  readonly retryAfterMs?: number | undefined
  /** Another key of the pool can be tried at once (auth, quota, long 429). */
  readonly anotherKey?: boolean | undefined
  /** `key_resting` only: every key rests for auth or quota, so asking again soon cannot cure it (docs/spec/models.md §10 → 424). */
  readonly permanent?: boolean | undefined
  /** What the provider counted for answers that nobody gets: they are paid for all the same. */
  readonly usage?: Usage | undefined
  /** Text that came although the answer was cut (`truncated`), as the source gives it; the answer check makes a leftover of it. */
  readonly partial?: Completion | undefined
  readonly leftover?: Leftover | undefined
  /** `overflow` of a fold: the window it was planned for, which may be larger than the model's real one (docs/spec/models.md §6). */
  readonly windowTokens?: number | undefined
  readonly attempts?: readonly AttemptRow[] | undefined
  readonly cause?: unknown
}

/** A failed attempt, or (with several attempts) a failed chain of them. Its message holds no provider text and no key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly model: string
  readonly outcome: Exclude<AttemptOutcome, 'ok'>
  readonly facts: ModelErrorFacts

  constructor(model: string, outcome: Exclude<AttemptOutcome, 'ok'>, facts: ModelErrorFacts = {}) {
    super(`Model ${model} failed: ${outcome}`, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.model = model
    this.outcome = outcome
    this.facts = facts
  }
}
