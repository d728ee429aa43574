import { z } from 'zod'
import { keysOf } from '../domain/keys-of.ts'

/** A blank summary must never replace a history, whoever wrote it. */
const summary = z.string().regex(/\S/, 'expected a text that is not blank')
const data = z.record(z.string(), z.unknown())

const compaction = z.object({
  summary,
  shortSummary: z.string().nullish(),
  firstKeptEntryId: z.string().describe('An entry of the path.'),
  tokensBefore: z.int().nonnegative(),
  details: z.unknown().optional(),
  preserveData: data.nullish(),
})

/** What each hook may answer; nothing at all always means: go on as usual. `cancel` only by an explicit true. */
export const HOOK_RESULTS = {
  session_before_compact: z.object({ cancel: z.boolean().nullish(), compaction: compaction.nullish() }),
  'session.compacting': z.object({
    context: z.array(z.string()).nullish(),
    prompt: z.string().nullish(),
    preserveData: data.nullish(),
  }),
  session_compact: z.unknown(),
  session_before_tree: z.object({
    cancel: z.boolean().nullish(),
    summary: z.object({ summary, details: z.unknown().optional() }).nullish(),
  }),
  session_tree: z.unknown(),
} as const satisfies Readonly<Record<string, z.ZodType>>

/** The five hooks of the first seed, by its names (docs/spec/compaction.md §11). */
export type HookName = keyof typeof HOOK_RESULTS

export type HookResults = { readonly [Name in HookName]: z.output<(typeof HOOK_RESULTS)[Name]> }

export const HOOK_NAMES = keysOf(HOOK_RESULTS)
