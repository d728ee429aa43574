/** What decides how much conversation one call of a folded prompt may hold. All in tokens. */
export interface FoldRoom {
  /** The learned window where there is one, else the model's own. */
  readonly windowTokens: number
  readonly maxTokens: number
  /** The summary that is carried along. */
  readonly carriedTokens: number
  /** Everything else of the call: system prompt, instructions, additional context. */
  readonly instructionTokens: number
}

const FLOOR_TOKENS = 1_024
const FLOOR_CEILING_TOKENS = 16_384

/**
 * Tokens of conversation that one call may hold (docs/spec/models.md §6): four fifths of the window, because byte estimates err,
 * without answer, carried summary and instructions; with a floor, and never more than the window really has. May be ≤ 0.
 */
export function foldBudget({ windowTokens, maxTokens, carriedTokens, instructionTokens }: FoldRoom): number {
  const wanted = Math.floor(0.8 * windowTokens) - maxTokens - carriedTokens - instructionTokens
  const floor = Math.min(FLOOR_CEILING_TOKENS, Math.max(FLOOR_TOKENS, Math.floor(windowTokens / 8)))
  return Math.min(Math.max(wanted, floor), windowTokens - maxTokens - instructionTokens)
}
