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
 * The cap that the embedded model keeps to where the caller named none: with it the audit's lines and both halves of a split
 * turn stay under 2,000 tokens together (docs/spec/truth.md §5).
 */
export const EMBEDDED_TOKENS = 1_900
/** The most an embedded summary has once the audit has added its lines. */
export const EMBEDDED_MOST_TOKENS = 2_000
/** The most that the beginning of a split turn gets; what is left over goes to the history. */
const EMBEDDED_PREFIX_TOKENS = 600
/** Headings, labels and the notice around what is quoted. */
const EMBEDDED_FRAME_TOKENS = 150
const SHORT_CAP = 512
const BRANCH_TOKENS = 2_048

/** The history's share of a capped text whose turn is split: most of the work was done there. */
const HISTORY_SHARE = 0.6
/** Rule and title between the halves of a split turn, as tokens. */
const SEAM_TOKENS = 12

export interface BudgetLimits {
  readonly reserveTokens: number
  readonly maxOutputTokens?: number | undefined
  /** The caller's cap of the text, of both halves of a split turn together (docs/spec/contract.md §3). */
  readonly maxTokens?: number | undefined
  readonly isSplit?: boolean | undefined
}

/** The embedded model's caps for both halves of a split turn: a short beginning leaves the history more. */
export function embeddedHalves(prefixTokens: number): { readonly history: number; readonly prefix: number } {
  const prefix = Math.min(EMBEDDED_PREFIX_TOKENS, prefixTokens + EMBEDDED_FRAME_TOKENS)
  return { history: EMBEDDED_TOKENS - SEAM_TOKENS - prefix, prefix }
}

/** Caps from the reserve (docs/spec/compaction.md §6), each clamped to what the model can write and never under 1. */
export function summaryBudgets(limits: BudgetLimits): SummaryBudgets {
  const { reserveTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = limits
  const asked = askedBudgets(limits)
  const clamp = (tokens: number): number => Math.max(1, Math.min(tokens, maxOutputTokens))
  const history = clamp(Math.min(Math.floor(0.8 * reserveTokens), HISTORY_CAP_TOKENS, asked.history))
  return {
    history,
    prefix: clamp(Math.min(Math.floor(0.5 * reserveTokens), asked.prefix)),
    short: clamp(Math.min(SHORT_CAP, Math.floor(0.2 * reserveTokens))),
    branch: clamp(BRANCH_TOKENS),
  }
}

/** The parts of the caller's cap. */
function askedBudgets({ maxTokens, isSplit = false }: BudgetLimits): Pick<SummaryBudgets, 'history' | 'prefix'> {
  if (maxTokens === undefined) return { history: Number.POSITIVE_INFINITY, prefix: Number.POSITIVE_INFINITY }
  if (!isSplit) return { history: maxTokens, prefix: maxTokens }
  const text = Math.max(2, maxTokens - SEAM_TOKENS)
  const history = Math.floor(HISTORY_SHARE * text)
  return { history, prefix: text - history }
}

/**
 * What the audit's tenth is taken of. Nothing where the embedded model filled a cap of the caller's: it chose by the order of
 * value (docs/spec/truth.md §6), and what came back would stand in the place of something worth more.
 */
export function auditedTokens(
  { history }: Pick<SummaryBudgets, 'history'>,
  { maxTokens, degraded }: { readonly maxTokens: number | undefined; readonly degraded: boolean },
): number {
  return degraded && maxTokens !== undefined ? 0 : history
}

/** Tokens the audit may add to an answer made under `budgetTokens`. */
export function additionsBudget(budgetTokens: number): number {
  return Math.floor(0.1 * budgetTokens)
}
