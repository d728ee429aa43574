import { z } from 'zod'

/** What the audit of a summary found (docs/spec/compaction.md §7). */
export const auditResult = z.object({
  facts: z.int().nonnegative().describe('Hard facts found in the source.'),
  kept: z.int().nonnegative().describe('Of them, those the answer held by itself.'),
  restored: z.array(z.object({ kind: z.string(), text: z.string() })).describe('Facts put back under one heading.'),
  unsupportedPaths: z.array(z.string()).describe('Paths of the answer that occur nowhere in the source.'),
})
