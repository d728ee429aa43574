import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'
import { entriesSchema } from '../domain/session/check-entries.ts'
import { prunedResult, pruneSettings } from './compact-schema.ts'

/** POST /prune: which old tool output can go. */
export const pruneRequest = z.looseObject({
  entries: entriesSchema,
  leafId: z.string().nullish(),
  ...pruneSettings.shape,
})

export const pruneResult = prunedResult.extend({ warnings: z.array(z.string()) })

export type PruneRequest = z.output<typeof pruneRequest>
export type PruneResult = DeepReadonly<z.input<typeof pruneResult>>
