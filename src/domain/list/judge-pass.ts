import type { CompactionState } from './state.ts'

export interface GateInput {
  readonly state: CompactionState
  /** Estimate of the whole request, and a real prompt count where the caller has one. */
  readonly tokens: number
  readonly thresholdTokens: number
  readonly nowMs: number
}

/** `null` reason and open: compact now. */
export interface GateVerdict {
  readonly open: boolean
  readonly reason: 'below-threshold' | 'cooldown' | 'ineffective' | null
  /** Milliseconds until a pause ends; 0 unless that is the reason. */
  readonly retryAfterMs: number
}

const STRIKES = 2
const GROWTH = 0.05

/** Should a list be compacted without anybody asking (docs/spec/lists.md §3)? At the threshold, not above it. */
export function judgeList(input: GateInput): GateVerdict {
  if (input.tokens < input.thresholdTokens) return { open: false, reason: 'below-threshold', retryAfterMs: 0 }
  return judgeState(input)
}

/** Pause and strikes alone, for passes that are wanted below the threshold too (idle, overflow). */
export function judgeState({ state, tokens, thresholdTokens, nowMs }: GateInput): GateVerdict {
  const waitMs = state.cooldownUntilMs - nowMs
  if (waitMs > 0) return { open: false, reason: 'cooldown', retryAfterMs: waitMs }
  if (state.fallbackStreak >= STRIKES) return { open: false, reason: 'ineffective', retryAfterMs: 0 }
  // Strikes judge the list they were given for: one that has grown by a twentieth of the threshold may be tried (#14694).
  const grown = tokens > state.strikeTokens + thresholdTokens * GROWTH
  if (state.strikes >= STRIKES && !grown) return { open: false, reason: 'ineffective', retryAfterMs: 0 }
  return { open: true, reason: null, retryAfterMs: 0 }
}
