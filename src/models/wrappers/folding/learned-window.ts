import type { Clock } from '../../clock.ts'

/** What one model has shown it can really hold. */
export interface LearnedWindow {
  /** Tokens; the declared window while nothing else was learned. */
  now(): number
  /** The model refused this many tokens as too many. */
  overflowed(sentTokens: number): void
}

const REMEMBERED_MS = 30 * 60_000
// A provider that answers 413 to everything must not make its model useless for half an hour.
const LEAST_WINDOW_TOKENS = 1_024

/** Half of what a model refused counts as its window for the next 30 minutes (docs/spec/models.md §6). Per process, per model. */
export function learnedWindow(declaredTokens: number, clock: Clock): LearnedWindow {
  let tokens = declaredTokens
  let untilMs = 0
  const now = () => (clock.now() < untilMs ? tokens : declaredTokens)
  return {
    now,
    overflowed(sentTokens) {
      tokens = Math.min(now(), Math.max(LEAST_WINDOW_TOKENS, Math.floor(sentTokens / 2)))
      untilMs = clock.now() + REMEMBERED_MS
    },
  }
}
