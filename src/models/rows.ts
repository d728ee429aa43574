import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'

/** What one attempt can end in (models.md §2, §10). `ok` is the only one that carries a text. */
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
  status: z.int().exactOptional().describe('HTTP status of the provider, where it answered.'),
  durationMs: z.int().nonnegative().describe('0 for a candidate that was skipped.'),
})

/** Tokens as the provider counted them (estimated where it says nothing), dollars as the configured price makes them. */
export const usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative().describe('At the configured prices; 0 where none is configured.'),
})

/** One model call. `kind` says what for: summary, history, prefix, short, branch, part, merge, reference, aggregate. */
export const callRow = z.object({
  kind: z.string(),
  model: z.string(),
  usage,
  attempts: z.array(attemptRow),
  durationMs: z.int().nonnegative(),
})

export type Outcome = z.output<typeof outcome>
export type AttemptRow = DeepReadonly<z.output<typeof attemptRow>>
export type Usage = DeepReadonly<z.output<typeof usage>>
export type CallRow = DeepReadonly<z.output<typeof callRow>>
