import type { Completion, CompletionRequest, Model } from './model.ts'

/** A source that needs a key for each call and keeps none; `withKeys` (keys.ts) makes a Model of it. */
export interface KeyedModel extends Pick<Model, 'id' | 'contextWindow' | 'maxOutputTokens'> {
  /** `key` is undefined for a provider without keys. Throws like Model.complete. */
  completeWith(key: string | undefined, request: CompletionRequest, signal: AbortSignal): Promise<Completion>
}
