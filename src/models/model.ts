import type { AttemptRow } from '../domain/attempt-row.ts'
import type { SplitHalf } from '../domain/extractive/half-of.ts'
import type { ExpectedAnswer } from '../domain/summary/judge/expected-answer.ts'
import type { CallerUpstream } from './caller-upstream.ts'
import type { Prompt } from './prompt.ts'
import type { CallRow, Usage } from './rows.ts'

export type { AttemptOutcome, AttemptRow } from '../domain/attempt-row.ts'
export type { CallRow, Usage } from './rows.ts'

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** Tokens and dollars of several calls together. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(
    (sum, one) => ({
      inputTokens: sum.inputTokens + one.inputTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
      costUsd: sum.costUsd + one.costUsd,
    }),
    NO_USAGE,
  )
}

/** What a listener is given while a completion is made (docs/spec/contract.md §1, SSE). All of it is provisional. */
export interface CompletionListener {
  attempt?(row: AttemptRow): void
  readonly delta?: ((text: string) => void) | undefined
  /** The deltas so far belong to a failed attempt: discard them. */
  readonly reset?: (() => void) | undefined
  /** Milliseconds since the epoch when the last caller of a shared call gives up: nothing is begun that would end later. */
  waitsUntil?(): number
  /** Undefined while all listeners keep up, or where one waits for the end alone; else resolves when there is room again. */
  room?(): Promise<void> | undefined
}

/** Which candidates may answer: a model named first, a strategy (`moa/<name>`), the globs of the caller's key. */
export interface Selection {
  readonly model?: string | undefined
  readonly strategy?: string | undefined
  /** True for a request on its way to a provider: `caller/<model>` candidates may answer it. */
  readonly throughCaller?: boolean | undefined
  /** Globs over candidate ids; absent means all. */
  readonly allowed?: readonly string[] | undefined
}

/** What the embedded model has to know beside the prompt; language models read it there. */
export interface EmbeddedUse {
  /** The cap it keeps to where the caller named none (docs/spec/truth.md §5); else `maxTokens`. */
  readonly tokens: number
  /** Which half of a split turn's compaction is asked for; both halves end up in one summary. */
  readonly half?: SplitHalf | undefined
}

/** One prompt to be answered. Plain data but for the prompt and the listener, which cross a thread in forms of their own (workers/port.ts). */
export interface CompletionRequest {
  readonly system: string
  readonly prompt: Prompt
  /** Output cap in tokens; wrappers clamp it to the model's own maximum. */
  readonly maxTokens?: number | undefined
  /** `headings`: an answer without any Markdown heading, or one JSON object, is `not_a_summary` (docs/spec/compaction.md §7). */
  readonly expects?: 'text' | 'headings' | undefined
  /** What an answer with headings is judged by (docs/spec/truth.md §8); without it any heading will do. */
  readonly answer?: ExpectedAnswer | undefined
  /** True: an answer that was cut twice is accepted at once; for answers that only the next call reads. */
  readonly takesCut?: boolean | undefined
  readonly embedded?: EmbeddedUse | undefined
  /** False: a prompt over the window fails instead of being folded (the short summary, docs/spec/compaction.md §6). */
  readonly fold?: boolean | undefined
  /** Milliseconds since the epoch after which nobody waits for the answer. */
  readonly deadlineAt: number
  /** Id of the request, for log lines and figures; other requests may join the call. */
  readonly requestId?: string | undefined
  /** Name of the key that asks, and pays; queues are fair between callers. */
  readonly caller?: string | undefined
  /** W3C trace context to hand on to the provider. */
  readonly traceparent?: string | undefined
  /** True: `cache-control: no-cache`, do not read the cache (the answer is stored all the same). */
  readonly noCache?: boolean | undefined
  readonly listener?: CompletionListener | undefined
  /** Asks the provider the caller was on its way to, with the caller's own credentials. Never crosses a thread. */
  readonly through?: CallerUpstream | undefined
}

export interface Completion {
  /** Unwrapped, never blank. */
  readonly text: string
  /** The candidate that answered: "alpha/small", "moa/careful", "recapd/extractive". */
  readonly model: string
  readonly usage: Usage
  /** Cut at its token cap twice, or not a summary, and accepted all the same; such answers are never cached. */
  readonly truncated: boolean
  /** Made without a language model. */
  readonly degraded: boolean
  readonly attempts: readonly AttemptRow[]
  /** Rows of the calls below this one, when there was more than one (fold, mixture of agents). */
  readonly calls: readonly CallRow[]
  readonly warnings: readonly string[]
  /** How it was made; `method` of /compact starts from here. */
  readonly method: 'model' | 'fold' | 'moa' | 'remote' | 'extractive'
  readonly cache?: 'hit' | 'miss' | 'coalesced' | undefined
}

/**
 * A thing that can answer one prompt. Sources (openai, remote, extractive, mixture) and what wrappers make of them (withRetry,
 * withFold …) are both Models, so no wrapper knows which kind is inside (docs/spec/models.md, head).
 */
export interface Model {
  readonly id: string
  /** Tokens. */
  readonly contextWindow: number
  readonly maxOutputTokens?: number | undefined
  /** Throws ModelError, or the signal's reason when the caller went away. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>
}

/** The same facts, another way to an answer: what every wrapper returns. `id` renames (a chain is not its first candidate). */
export function wrapModel(model: Model, complete: Model['complete'], id = model.id): Model {
  const { contextWindow, maxOutputTokens } = model
  return { id, contextWindow, maxOutputTokens, complete }
}

/** A source that needs a key for each call and keeps none; `withKeys` makes a Model of it. */
export interface KeyedModel extends Pick<Model, 'id' | 'contextWindow' | 'maxOutputTokens'> {
  /** `key` is undefined for a provider without keys. Throws like Model.complete. */
  completeWith(key: string | undefined, request: CompletionRequest, signal: AbortSignal): Promise<Completion>
}

/** What a plan has to know of a candidate before any call. Plain data. */
export interface CandidateFacts {
  readonly id: string
  /** Tokens. */
  readonly contextWindow: number
  readonly maxOutputTokens?: number | undefined
  /** Dollars per one million tokens. */
  readonly price?: { readonly input: number; readonly output: number } | undefined
}

/** The chain of one selection. Not a Model: what it throws is for the caller of the service. */
export interface SelectedModel {
  readonly candidates: readonly [CandidateFacts, ...CandidateFacts[]]
  /** Completes through the candidates in order. Throws RecapdError when all failed, or the signal's reason. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>
}

/** Everything the pipelines know of models. */
export interface Models {
  /** All configured models, those of the default chain first. */
  readonly known: readonly CandidateFacts[]
  /** Ids of the default chain, in order. */
  readonly chain: readonly string[]
  /** Throws unknown-model or forbidden. */
  select(selection: Selection): SelectedModel
  /** The models of this moment, whatever is loaded later: a request ends with those it began with (docs/spec/production.md §7). */
  pinned(): Models
}
