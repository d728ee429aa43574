import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'
import { entriesSchema } from '../domain/session/check-entries.ts'

/** POST /context: what the model sees of a session. */
export const contextRequest = z.looseObject({
  entries: entriesSchema,
  leafId: z.string().nullish().describe('null: an empty context; absent: the last entry.'),
  format: z.enum(['pi', 'openai', 'anthropic']).default('pi'),
})

export const contextResult = z.object({
  messages: z.array(z.unknown()),
  model: z.string().nullable(),
  thinkingLevel: z.string(),
  warnings: z.array(z.string()),
})

export type ContextRequest = z.output<typeof contextRequest>
export type ContextResult = DeepReadonly<z.input<typeof contextResult>>
