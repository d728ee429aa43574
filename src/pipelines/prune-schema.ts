import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'
import { entriesSchema } from '../domain/session/check-entries.ts'
import { prunedResult, source } from './compact-result-schema.ts'
import { compactRequest, entriesOrMessages, pruneSettings } from './compact-schema.ts'

/** POST /prune: which old tool output of a session or list can go. */
export const pruneRequest = z
  .looseObject({
    entries: entriesSchema.optional(),
    leafId: z.string().nullish(),
    messages: compactRequest.shape.messages,
    format: compactRequest.shape.format,
    ...pruneSettings.shape,
  })
  .check(entriesOrMessages)

export const pruneResult = prunedResult.extend({
  entries: z.array(
    z.object({
      index: z.int().optional().describe('Lists: place of the message.'),
      id: z.string().describe('Of the entry; lists: of the call that the result answers.'),
      text: z.string().describe('What stands in its place.'),
      tokens: z.int().describe('Before pruning.'),
    }),
  ),
  source,
  warnings: z.array(z.string()),
})

export type PruneRequest = z.output<typeof pruneRequest>
export type PruneResult = DeepReadonly<z.input<typeof pruneResult>>
