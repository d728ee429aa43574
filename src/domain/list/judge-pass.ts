import type { CompactionState } from './state.ts'

export interface PassInput {
  readonly state: CompactionState
  /** Estimate of the whole request, and a real prompt count where the caller has one. */
  readonly tokens: number
  readonly thresholdTokens: number
  readonly nowMs: number
}

/** Why a pass waits; null: compact now. */
export type PassBlock = 'cooldown' | 'ineffective' | null

const STRIKES = 2
const GROWTH = 0.05

/** Should a list be compacted without anybody asking (docs/spec/lists.md §3)? At the threshold, not above it. */
export function judgeList(input: PassInput): PassBlock | 'below-threshold' {
  if (input.tokens < input.thresholdTokens) return 'below-threshold'
  return judgeState(input)
}

/** Pause and strikes alone, for passes that are wanted below the threshold too (idle, overflow). */
export function judgeState({ state, tokens, thresholdTokens, nowMs }: PassInput): PassBlock {
  if (state.cooldownUntilMs > nowMs) return 'cooldown'
  if (state.fallbackStreak >= STRIKES) return 'ineffective'
  // Strikes judge the list they were given for: one that has grown by a twentieth of the threshold may be tried (#14694).
  const grown = tokens > state.strikeTokens + thresholdTokens * GROWTH
  if (state.strikes >= STRIKES && !grown) return 'ineffective'
  return null
}
