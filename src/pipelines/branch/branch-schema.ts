import { z } from 'zod'
import type { DeepReadonly } from '../../domain/deep-readonly.ts'
import { entriesSchema } from '../../domain/session/check-entries.ts'
import { callRow, usage } from '../../models/rows.ts'
import { auditResult } from '../audit-schema.ts'
import { promptRow } from '../prompt-rows.ts'

/** The body of POST /branch-summary: where the agent stood and where it goes (docs/spec/contract.md §4). */
export const branchSummaryRequest = z.looseObject({
  entries: entriesSchema,
  oldLeafId: z.string().nullable().describe('The leaf being left; null: the agent stood before the first entry.'),
  targetId: z.string().describe('The entry to go to.'),
  summarize: z.boolean().default(true).describe('false: the navigation alone, no model is asked.'),
  customInstructions: z.string().optional().describe('Replaces the instructions of the summary.'),
  contextWindow: z
    .int()
    .nonnegative()
    .optional()
    .describe("Tokens of the agent's model; default: the first candidate's."),
  settings: z
    .looseObject({
      reserveTokens: z.int().positive().optional().describe('16384, less where the window is small.'),
    })
    .optional(),
  model: z.string().min(1).optional(),
  dryRun: z.boolean().default(false),
})

const collected = z.object({
  commonAncestorId: z.string().nullable(),
  entryIds: z
    .array(z.string())
    .describe('Every abandoned entry, oldest first; `details` of the summary covers them all.'),
  includedEntryIds: z
    .array(z.string())
    .describe('Those of them whose text fits the budget; the newest are taken first.'),
  totalTokens: z.int().describe('Of the included ones.'),
  tokenBudget: z.int().describe('Context window minus reserve.'),
})

export const branchSummaryResult = z.object({
  summarized: z.boolean(),
  reason: z
    .enum(['not-asked', 'nothing-to-summarize', 'cancelled-by-hook', 'dry-run'])
    .optional()
    .describe('Why there is no summary.'),
  cancelled: z.literal(true).optional().describe('A hook cancelled the navigation: the leaf stays.'),
  method: z.enum(['model', 'fold', 'moa', 'remote', 'extractive', 'hook', 'none']).describe('What really happened.'),
  entry: z
    .looseObject({
      type: z.literal('branch_summary'),
      id: z.string(),
      parentId: z.string().nullable(),
      timestamp: z.string(),
      fromId: z.string().describe('The new position, or `root`.'),
      summary: z.string(),
      details: z.unknown().optional().describe('`{readFiles, modifiedFiles}`; of a hook: its own.'),
      fromExtension: z.boolean().optional(),
    })
    .nullable()
    .describe('Append it to the session file.'),
  newLeafId: z.string().nullable().describe("The summary entry's id when there is one; null: before the first entry."),
  editorText: z
    .string()
    .nullable()
    .describe('The text of the user or custom message that was navigated to, for editing.'),
  collected,
  audit: auditResult.optional(),
  calls: z.array(callRow),
  usage,
  degraded: z.boolean(),
  warnings: z.array(z.string()),
  prompts: z.array(promptRow).optional().describe('Of a dry run.'),
})

export type BranchSummaryRequest = z.output<typeof branchSummaryRequest>
export type BranchSummaryResult = DeepReadonly<z.input<typeof branchSummaryResult>>
