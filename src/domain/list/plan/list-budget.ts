/** What decides the budgets of one list; window and reservations in tokens, `threshold` a ratio in (0, 1]. */
export interface BudgetInput {
  readonly contextWindow: number
  readonly maxOutputTokens?: number | undefined
  /** The caller's own ratio: taken as given, without the small-window floors. */
  readonly threshold?: number | undefined
  /** Absolute cap on the trigger. */
  readonly thresholdTokens?: number | undefined
}

/** All in tokens. */
export interface ListBudget {
  readonly contextWindow: number
  /** Compaction is due at this many tokens, not above it. */
  readonly thresholdTokens: number
  readonly tailTokens: number
  readonly softCeilingTokens: number
  readonly maxSummaryTokens: number
}

const DEFAULT_RATIO = 0.5
const SMALL_WINDOW_TOKENS = 512_000
const SMALL_WINDOW_RATIO = 0.75
const MINIMUM_CONTEXT_TOKENS = 64_000
const DEGENERATE_RATIO = 0.85
const TAIL_RATIO = 0.2
const SOFT_CEILING = 1.5
const SUMMARY_WINDOW_RATIO = 0.05
const SUMMARY_CEILING_TOKENS = 10_000
const SUMMARY_FLOOR_TOKENS = 2000
const SUMMARY_RATIO = 0.2

/** Trigger, tail and summary budgets of a window (docs/spec/lists.md §2). Reservations and caps that are not positive mean "none". */
export function listBudget(input: BudgetInput): ListBudget {
  const { contextWindow } = input
  // The reply is reserved for first: a threshold that ignored it let the provider answer 400 (#43547).
  const left = contextWindow - (positive(input.maxOutputTokens) ?? 0)
  const window = left > 0 ? left : contextWindow
  const cap = positive(input.thresholdTokens)
  const raw = triggerTokens(window, contextWindow, positive(input.threshold))
  const thresholdTokens = cap === undefined ? raw : Math.min(raw, cap, contextWindow)
  const tailTokens = Math.floor(thresholdTokens * TAIL_RATIO)
  return {
    contextWindow,
    thresholdTokens,
    tailTokens,
    softCeilingTokens: Math.floor(tailTokens * SOFT_CEILING),
    maxSummaryTokens: Math.min(Math.floor(contextWindow * SUMMARY_WINDOW_RATIO), SUMMARY_CEILING_TOKENS),
  }
}

/** Tokens that a summary of this much content should have; the floor beats the ceiling. */
export function summaryBudget(contentTokens: number, maxSummaryTokens: number): number {
  return Math.max(SUMMARY_FLOOR_TOKENS, Math.min(Math.floor(contentTokens * SUMMARY_RATIO), maxSummaryTokens))
}

function triggerTokens(window: number, contextWindow: number, given: number | undefined): number {
  if (given !== undefined) return Math.max(1, Math.floor(window * Math.min(given, 1)))
  const ratio = contextWindow < SMALL_WINDOW_TOKENS ? SMALL_WINDOW_RATIO : DEFAULT_RATIO
  const trigger = Math.max(Math.floor(window * ratio), MINIMUM_CONTEXT_TOKENS)
  if (trigger < window) return trigger
  // A trigger at the window itself never fires before the provider refuses (#14690).
  return Math.max(1, Math.min(Math.floor(window * DEGENERATE_RATIO), window - 1))
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined
}
