/** Compaction settings as somebody set them: request over config. What nobody set is absent, since defaults bend to small windows. */
export interface GivenSettings {
  readonly enabled?: boolean | undefined
  readonly reserveTokens?: number | undefined
  readonly keepRecentTokens?: number | undefined
  readonly autoContinue?: boolean | undefined
  readonly thresholdPercent?: number | undefined
  readonly thresholdTokens?: number | undefined
}

/** Settings that hold for one context window, all in tokens. */
export interface CompactionSettings {
  readonly enabled: boolean
  readonly autoContinue: boolean
  readonly contextWindow: number
  readonly reserveTokens: number
  readonly keepRecentTokens: number
  /** Context above this calls for a compaction. */
  readonly thresholdTokens: number
}

const DEFAULT_RESERVE_TOKENS = 16_384
const DEFAULT_KEEP_RECENT_TOKENS = 20_000

/** Share of a small window that is left free when the reserve would eat it. */
const SMALL_WINDOW_SHARE = 0.15

/** Reserve for a window, with a warning when an explicit one had to give way (docs/spec/compaction.md §12 "Small windows"). */
export function resolveReserve(
  given: number | undefined,
  contextWindow: number,
): { readonly reserveTokens: number; readonly warnings: readonly string[] } {
  const share = Math.floor(SMALL_WINDOW_SHARE * contextWindow)
  const fallback = Math.max(1, share)
  if (given === undefined) {
    const eats = DEFAULT_RESERVE_TOKENS >= contextWindow - share
    return { reserveTokens: eats ? fallback : DEFAULT_RESERVE_TOKENS, warnings: [] }
  }
  if (given < contextWindow) return { reserveTokens: given, warnings: [] }
  const warning = `reserveTokens ${given} leaves nothing of a context window of ${contextWindow}: ${fallback} is used`
  return { reserveTokens: fallback, warnings: [warning] }
}

function thresholdOf(given: GivenSettings, contextWindow: number, reserveTokens: number): number {
  const { thresholdTokens = 0, thresholdPercent = 0 } = given
  if (thresholdTokens > 0) return Math.min(contextWindow - 1, Math.max(1, thresholdTokens))
  if (thresholdPercent > 0) return Math.floor((contextWindow * Math.min(99, Math.max(1, thresholdPercent))) / 100)
  return contextWindow - reserveTokens
}

/** Keep for a threshold: what `/check` calls for, `/compact` must be able to do. */
function resolveKeep(
  given: number | undefined,
  thresholdTokens: number,
): { keep: number; warnings: readonly string[] } {
  const fallback = Math.max(1, Math.min(DEFAULT_KEEP_RECENT_TOKENS, Math.floor(thresholdTokens / 2)))
  if (given === undefined) return { keep: fallback, warnings: [] }
  if (given < thresholdTokens) return { keep: given, warnings: [] }
  const warning = `keepRecentTokens ${given} is not below the threshold of ${thresholdTokens}: ${fallback} is used`
  return { keep: fallback, warnings: [warning] }
}

/** Settings for a window, in tokens, and what had to be changed to make sense. */
export function resolveSettings(
  given: GivenSettings,
  contextWindow: number,
): { readonly settings: CompactionSettings; readonly warnings: readonly string[] } {
  const { reserveTokens, warnings } = resolveReserve(given.reserveTokens, contextWindow)
  const thresholdTokens = thresholdOf(given, contextWindow, reserveTokens)
  const { keep, warnings: more } = resolveKeep(given.keepRecentTokens, thresholdTokens)
  const { enabled = true, autoContinue = true } = given
  return {
    settings: { enabled, autoContinue, contextWindow, reserveTokens, keepRecentTokens: keep, thresholdTokens },
    warnings: [...warnings, ...more],
  }
}
