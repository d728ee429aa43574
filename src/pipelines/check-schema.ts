import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'
import { entriesSchema } from '../domain/session/check-entries.ts'
import { source } from './compact-result-schema.ts'
import { compactionSettings, compactRequest, entriesOrMessages, lastUsage } from './compact-schema.ts'

const messageListFields = compactRequest.shape

/** POST /check: should this session or list be compacted now? (docs/spec/contract.md §5) */
export const checkRequest = z
  .looseObject({
    entries: entriesSchema.optional(),
    leafId: z.string().nullish(),
    messages: messageListFields.messages,
    format: messageListFields.format,
    system: z.unknown().optional(),
    tools: z.unknown().optional(),
    model: z.string().min(1).optional(),
    contextWindow: messageListFields.contextWindow,
    settings: compactionSettings.optional(),
    threshold: messageListFields.threshold,
    thresholdTokens: messageListFields.thresholdTokens,
    maxOutputTokens: messageListFields.maxOutputTokens,
    lastError: z
      .looseObject({ message: z.string(), status: z.int().optional() })
      .nullish()
      .describe("The provider's message; for entries the default is the error stored with the last answer."),
    lastUsage: lastUsage.optional(),
    state: z.string().optional(),
  })
  .check(entriesOrMessages)

export const checkResult = z.object({
  shouldCompact: z.boolean(),
  reason: z.enum(['threshold', 'overflow']).nullable(),
  blockedBy: z.enum(['cooldown', 'ineffective', 'disabled']).nullable(),
  contextTokens: z.int(),
  thresholdTokens: z.int(),
  estimator: z.string(),
  lastError: z
    .object({ class: z.string(), isOverflow: z.boolean(), retryable: z.boolean(), retryAfterMs: z.number().nullable() })
    .nullable(),
  state: z.string(),
  source,
  warnings: z.array(z.string()),
})

export type CheckRequest = z.output<typeof checkRequest>
export type CheckResult = DeepReadonly<z.input<typeof checkResult>>
