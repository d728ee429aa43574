import { z } from 'zod'
import { attemptRow } from '../domain/attempt-row.ts'
import type { DeepReadonly } from '../domain/deep-readonly.ts'

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

export type Usage = DeepReadonly<z.output<typeof usage>>
export type CallRow = DeepReadonly<z.output<typeof callRow>>
