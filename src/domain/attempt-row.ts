import { z } from 'zod'
import type { DeepReadonly } from './deep-readonly.ts'

/** What one attempt can end in (docs/spec/models.md §2, §10). `ok` is the only one that carries a text. */
export const outcome = z.enum([
  'ok',
  'empty',
  'truncated',
  'refused',
  'timeout',
  'network',
  'rate_limited',
  'quota',
  'auth',
  'not_found',
  'bad_request',
  'overflow',
  'server_error',
  'bad_response',
  'aborted',
  'queue_full',
  'queue_timeout',
  'breaker_open',
  'key_resting',
  'not_a_summary',
  'references_failed',
])

/** One row of `attempts` in answers and errors. Skipped candidates have durationMs 0 and no status. */
export const attemptRow = z.object({
  model: z.string(),
  outcome,
  status: z.int().optional().describe('HTTP status of the provider, where it answered.'),
  durationMs: z.int().nonnegative().describe('0 for a candidate that was skipped.'),
})

export type AttemptOutcome = z.output<typeof outcome>
/** Nobody was asked, so such rows have no duration. A duration of 0 alone does not mean that: an answer may come within half a millisecond. */
const SKIPPED: ReadonlySet<z.output<typeof outcome>> = new Set([
  'queue_full',
  'queue_timeout',
  'breaker_open',
  'key_resting',
])
export const isSkipped = (attempt: z.output<typeof outcome>): boolean => SKIPPED.has(attempt)

export type AttemptRow = DeepReadonly<z.output<typeof attemptRow>>
