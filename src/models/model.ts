import type { AttemptRow, CallRow, Outcome, Usage } from './rows.ts'

export type { AttemptRow, CallRow, Outcome, Usage } from './rows.ts'

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** What a stream listener hears while a completion is made (http-api §1, SSE). All of it is provisional. */
export interface CompletionListener {
  attempt?(row: AttemptRow): void
  delta?(text: string): void
  /** The deltas so far belong to a failed attempt: discard them. */
  reset?(): void
  /** Milliseconds since the epoch when the last caller of a shared call gives up: nothing is begun that ends after it. */
  waitsUntil?(): number
}

/** Which candidates may answer: a model named first, a strategy (`moa/<name>`), the globs of the caller's key. */
export interface Selection {
  readonly model?: string
  readonly strategy?: string
  /** Globs over candidate ids; absent means all. */
  readonly allowed?: readonly string[]
}

/** A text and its JSON string as its sender spelled it, quotes included: handing it on needs no encoding. */
export interface SpelledText {
  readonly text: string
  /** UTF-8. */
  readonly json: Uint8Array
}

/** One prompt to be answered. Plain data but for the listener, so that it can cross a thread. */
export interface CompletionRequest {
  readonly system: string
  readonly prompt: string
  /** How the prompt came. It stands for the prompt only as long as that is the same text: wrappers may reword it. */
  readonly spelled?: SpelledText
  /** Output cap in tokens; wrappers clamp it to the model's own maximum. */
  readonly maxTokens?: number
  /** `headings`: an answer without any Markdown heading, or one JSON object, is `not_a_summary` (session-compaction §7). */
  readonly expects?: 'text' | 'headings'
  /** False: a prompt over the window fails instead of being folded (the short summary, session-compaction §6). */
  readonly fold?: boolean
  /** Milliseconds since the epoch after which nobody waits for the answer. */
  readonly deadlineAt: number
  /** W3C trace context to hand on to the provider. */
  readonly traceparent?: string
  /** True: `cache-control: no-cache`, do not read the cache (the answer is stored all the same). */
  readonly noCache?: boolean
  readonly listener?: CompletionListener
}

export interface Completion {
  /** Unwrapped, never blank. */
  readonly text: string
  /** The candidate that answered: "alpha/small", "moa/careful", "recapd/extractive". */
  readonly model: string
  readonly usage: Usage
  /** Cut at its token cap twice and taken all the same; such answers are never cached. */
  readonly truncated: boolean
  /** Made without a language model. */
  readonly degraded: boolean
  readonly attempts: readonly AttemptRow[]
  /** Rows of the calls below this one, when there was more than one (fold, mixture of agents). */
  readonly calls: readonly CallRow[]
  readonly warnings: readonly string[]
  /** How it was made; `method` of /compact starts from here. */
  readonly method: 'model' | 'fold' | 'moa' | 'remote' | 'extractive'
  /** How many parts a folded prompt was cut into. */
  readonly foldParts?: number
  readonly cache?: 'hit' | 'miss' | 'coalesced'
}

/**
 * A thing that can answer one prompt. Sources (openai, remote, extractive, mixture) and wrappers (retry, gate, fold …)
 * are both Models, so no wrapper knows which kind is inside (models.md, head).
 */
export interface Model {
  readonly id: string
  /** Tokens. */
  readonly contextWindow: number
  readonly maxOutputTokens?: number
  /** Throws ModelError, or the signal's reason when the caller went away. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>
}

/** What a plan has to know of a candidate before any call. Plain data. */
export interface CandidateFacts {
  readonly id: string
  /** Tokens. */
  readonly contextWindow: number
  readonly maxOutputTokens?: number
  /** Dollars per one million tokens. */
  readonly price?: { readonly input: number; readonly output: number }
}

/** The chain of one selection: completes through its candidates in order; throws RecapdError when all of them failed. */
export interface SelectedModel extends Model {
  readonly candidates: readonly [CandidateFacts, ...CandidateFacts[]]
}

/** Everything the pipelines know of models. */
export interface Models {
  /** All configured models, those of the default chain first. */
  readonly known: readonly CandidateFacts[]
  /** Throws unknown-model or forbidden. */
  select(selection: Selection): SelectedModel
}

/** What is known of a failure beyond its outcome; decided where the error is born (classify.ts), never guessed later. */
export interface ModelErrorFacts {
  readonly status?: number
  /** The provider's hint, or the time until a breaker or key is free again. */
  readonly retryAfterMs?: number
  /** Another key of the pool can be tried at once (auth, quota, long 429). */
  readonly anotherKey?: boolean
  /** `key_resting` only: every key rests for auth or quota, so asking again soon cannot cure it (models.md §10 → 424). */
  readonly permanent?: boolean
  /** What the provider counted for an answer, or answers, that nobody gets: paid for all the same. */
  readonly usage?: Usage
  /** Text that came although the answer was cut (`truncated`). */
  readonly partial?: Completion
  readonly attempts?: readonly AttemptRow[]
  readonly cause?: unknown
}

/** A failed attempt, or (with several attempts) a failed chain of them. Its message holds no provider text and no key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly model: string
  readonly outcome: Exclude<Outcome, 'ok'>
  readonly facts: ModelErrorFacts

  constructor(model: string, outcome: Exclude<Outcome, 'ok'>, facts: ModelErrorFacts = {}) {
    super(`Model ${model} failed: ${outcome}`, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.model = model
    this.outcome = outcome
    this.facts = facts
  }
}
