import type { CompactionState, FailureCause } from './state.ts'

const TIMEOUT_LADDER_SECONDS = [60, 300, 900] as const
const COOLDOWN_SECONDS: Readonly<Record<Exclude<FailureCause, 'timeout'>, number>> = {
  'no-provider': 600,
  'bad-json': 30,
  'stream-closed': 30,
  empty: 60,
  other: 60,
}

/** What a finished pass hands on to the next one. Tokens of the list as the caller now has it. */
export interface PassFacts {
  readonly rows: number
  readonly tokens: number
  /** Who made the summary; `none` when pruning alone was enough. */
  readonly summary: 'model' | 'fallback' | 'none'
}

/** Seconds of pause after a failure; `timeouts` counts those in a row before it (#62452). */
function cooldownSeconds(cause: FailureCause, timeouts: number): number {
  if (cause !== 'timeout') return COOLDOWN_SECONDS[cause]
  return TIMEOUT_LADDER_SECONDS[Math.min(timeouts, TIMEOUT_LADDER_SECONDS.length - 1)] ?? 900
}

/** A pass without a summary: the pause begins; only timeouts climb. */
export function afterFailure(state: CompactionState, cause: FailureCause, nowMs: number): CompactionState {
  const cooldownUntilMs = nowMs + cooldownSeconds(cause, state.timeouts) * 1000
  return { ...state, cooldownUntilMs, timeouts: cause === 'timeout' ? state.timeouts + 1 : state.timeouts }
}

/** A pass that changed the list: pause and ladder end, and the next real prompt count will judge it. */
export function afterPass(state: CompactionState, facts: PassFacts): CompactionState {
  return {
    ...state,
    compressionCount: state.compressionCount + (facts.summary === 'none' ? 0 : 1),
    fallbackStreak: streakAfter(state.fallbackStreak, facts.summary),
    cooldownUntilMs: 0,
    timeouts: 0,
    awaitingUsage: true,
    lastRows: facts.rows,
    lastTokens: facts.tokens,
  }
}

/** Reasons that say a pass was tried and brought nothing; the others say that it did not begin. */
export const STRIKING: ReadonlySet<string> = new Set([
  'nothing-to-compact',
  'already-compacted',
  'inflated',
  'ineffective',
])

/** A pass that could do nothing counts against the next (#40803), but only where one was due. */
export function afterNoProgress(state: CompactionState, tokens: number, thresholdTokens: number): CompactionState {
  return tokens < thresholdTokens ? state : { ...state, strikes: state.strikes + 1, strikeTokens: tokens }
}

/**
 * A real prompt count from the caller (docs/spec/lists.md §17): under the threshold clears the strikes, at or over it right after a
 * pass adds one. Null (no count came with the answer) only drops the pending verdict.
 */
export function afterUsage(
  state: CompactionState,
  promptTokens: number | null,
  list: { readonly tokens: number; readonly thresholdTokens: number },
): CompactionState {
  if (promptTokens === null || promptTokens <= 0) return { ...state, awaitingUsage: false }
  if (promptTokens < list.thresholdTokens) return { ...state, awaitingUsage: false, strikes: 0, strikeTokens: 0 }
  if (!state.awaitingUsage) return state
  return { ...state, awaitingUsage: false, strikes: state.strikes + 1, strikeTokens: list.tokens }
}

/** `force`: a person wants it now. Pause, strikes and streak are gone (#14694). */
export function afterForce(state: CompactionState): CompactionState {
  return { ...state, cooldownUntilMs: 0, strikes: 0, strikeTokens: 0, fallbackStreak: 0, timeouts: 0 }
}

/** Only a healthy summary ends a streak of summaries made without a model. */
function streakAfter(streak: number, summary: PassFacts['summary']): number {
  if (summary === 'none') return streak
  return summary === 'fallback' ? streak + 1 : 0
}
