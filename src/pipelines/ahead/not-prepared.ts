import { NO_USAGE } from '../../models/model.ts'
import type { CompactAheadResult } from '../compact-result-schema.ts'

/** Why nothing was put aside (docs/spec/production.md §3). `warnings`: those of the pass so far. */
export const notPrepared = (
  { warnings }: { readonly warnings: readonly string[] },
  reason: NonNullable<CompactAheadResult['reason']>,
): CompactAheadResult => ({
  prepared: false,
  reason,
  calls: [],
  usage: NO_USAGE,
  degraded: false,
  warnings: [...warnings],
})
