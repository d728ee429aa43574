import type { CompletionRequest, Model } from './model.ts'

/** Tokens an answer may have when the caller does not say (models.md §10). */
export const DEFAULT_MAX_TOKENS = 16_384

type Limits = Pick<Model, 'contextWindow' | 'maxOutputTokens'>

/** The most tokens this model can be asked for: its own maximum, else half its window (models.md §6). */
export function largestCap(model: Limits): number {
  return model.maxOutputTokens ?? Math.floor(model.contextWindow / 2)
}

/** The output cap one request gets from this model, in tokens. */
export function outputCap(model: Limits, request: Pick<CompletionRequest, 'maxTokens'>): number {
  return Math.max(1, Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, largestCap(model)))
}
