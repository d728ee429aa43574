/** Output caps of the calls of one compaction, in tokens. */
export interface SummaryBudgets {
  readonly history: number
  readonly prefix: number
  readonly short: number
  readonly branch: number
}

/** The most a summary of a history may have, whatever the reserve (docs/spec/compaction.md §6). */
export const HISTORY_CAP_TOKENS = 16_384
/**
 * What the embedded model keeps to where the caller named no cap: so much that the audit's lines and both halves of a split
 * turn stay under 2,000 tokens together (docs/spec/truth.md §5).
 */
export const EMBEDDED_TOKENS = { whole: 1_900, besidePrefix: 1_150, prefix: 750 } as const
const SHORT_CAP = 512
const BRANCH_TOKENS = 2_048

/** Caps from the reserve (docs/spec/compaction.md §6), each clamped to what the model can write and never under 1. */
export function summaryBudgets(limits: {
  readonly reserveTokens: number
  readonly maxOutputTokens?: number | undefined
}): SummaryBudgets {
  const { reserveTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = limits
  const clamp = (tokens: number): number => Math.max(1, Math.min(tokens, maxOutputTokens))
  const history = clamp(Math.min(Math.floor(0.8 * reserveTokens), HISTORY_CAP_TOKENS))
  return {
    history,
    prefix: clamp(Math.floor(0.5 * reserveTokens)),
    short: clamp(Math.min(SHORT_CAP, Math.floor(0.2 * reserveTokens))),
    branch: clamp(BRANCH_TOKENS),
  }
}

/** Tokens the audit may add to an answer made under `budgetTokens`. */
export function additionsBudget(budgetTokens: number): number {
  return Math.floor(0.1 * budgetTokens)
}
