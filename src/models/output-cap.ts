import type { CompletionRequest, Model } from './model.ts'

/** Tokens an answer may have when the caller does not say (docs/spec/models.md §10). */
export const DEFAULT_MAX_TOKENS = 16_384

type Limits = Pick<Model, 'contextWindow' | 'maxOutputTokens'>

/** The most tokens this model can be asked for: its own maximum, else half its window (docs/spec/models.md §6). */
export function largestCap(model: Limits): number {
  return model.maxOutputTokens ?? Math.floor(model.contextWindow / 2)
}

/** The output cap one request gets from this model, in tokens. */
export function outputCap(model: Limits, request: Pick<CompletionRequest, 'maxTokens'>): number {
  return Math.max(1, Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, largestCap(model)))
}

/** What is read of one answer (docs/spec/hostile.md §2). Bytes. */
export interface AnswerBounds {
  /** Of its text; of one event, too. */
  readonly textBytes: number
  /** Of everything around it as well. */
  readonly wireBytes: number
}

const LEAST_TEXT_BYTES = 65_536
const WIRE_BYTES = 16_777_216

/** Eight times the tokens that were asked for, at four bytes each. The wire may carry more, or its own limit would cut such a text. */
export function answerBounds(maxTokens: number): AnswerBounds {
  const textBytes = Math.max(LEAST_TEXT_BYTES, 8 * maxTokens * 4)
  return { textBytes, wireBytes: Math.max(WIRE_BYTES, 2 * textBytes) }
}
