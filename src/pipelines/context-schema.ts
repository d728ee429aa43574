import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'
import { entriesSchema } from '../domain/session/check-entries.ts'
import { source } from './compact-result-schema.ts'
import { compactRequest, entriesOrMessages } from './compact-schema.ts'

/** POST /context: what the model sees of a session or list. */
export const contextRequest = z
  .looseObject({
    entries: entriesSchema.optional(),
    leafId: z.string().nullish().describe('null: an empty context; absent: the last entry.'),
    messages: compactRequest.shape.messages,
    format: z
      .enum(['pi', 'openai', 'anthropic'])
      .default('pi')
      .describe('The form to answer in. pi: as the agent holds it; for a list, its own messages.'),
  })
  .check(entriesOrMessages)

export const contextResult = z.object({
  messages: z.array(z.unknown()),
  model: z.string().nullable(),
  thinkingLevel: z.string(),
  source,
  warnings: z.array(z.string()),
})

export type ContextRequest = z.output<typeof contextRequest>
export type ContextResult = DeepReadonly<z.input<typeof contextResult>>
