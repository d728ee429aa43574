import { z } from 'zod'
import { attemptRow } from '../../domain/attempt-row.ts'
import type { DeepReadonly } from '../../domain/deep-readonly.ts'
import { callRow, usage } from '../../models/rows.ts'
import { auditResult } from '../audit-schema.ts'

/** The body of omp's `compaction.remoteEndpoint` (docs/spec/contract.md §1); its client gains fields, so unknown ones are let through. */
export const summarizeRequest = z.looseObject({
  systemPrompt: z
    .union([z.string(), z.array(z.string())], 'expected a text or a list of texts')
    .describe('What the model is told to be. A list is joined by blank lines.'),
  prompt: z.string().min(1).describe('What is to be summarised, with its instructions.'),
  maxTokens: z.int().min(1).optional().describe("Output cap in tokens; 16384 or the model's own maximum by default."),
  model: z.string().min(1).optional().describe('The candidate to ask first, as GET /v1/models names it.'),
})

export const summarizeResult = z.object({
  summary: z.string().min(1),
  model: z.string().describe('The candidate that answered.'),
  usage: usage.describe('Of all calls, including answers that were paid for and thrown away.'),
  attempts: z.array(attemptRow),
  degraded: z.boolean().describe('True: made without a language model; the first line of the summary says so too.'),
  warnings: z.array(z.string()),
  calls: z.array(callRow).optional().describe('Where there was more than one call, or an audit.'),
  audit: auditResult.optional(),
})

export type SummarizeRequest = z.output<typeof summarizeRequest>
export type SummarizeResult = DeepReadonly<z.input<typeof summarizeResult>>
