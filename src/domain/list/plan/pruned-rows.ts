import type { Row } from '../../dialects/row.ts'
import type { ListInput } from './list-input.ts'
import { type PrunedRows, pruneRows } from './prune-rows.ts'

/** `tail`: first row that stays as it came, unless all of them together are too much or the caller set limits of its own. */
export function prunedRows(
  rows: readonly Row[],
  { prune: choice, budget, protect }: ListInput,
  tail?: number,
): PrunedRows {
  if (choice === false) return { rows, demoted: [], clipped: [], tokensSaved: 0 }
  const settings = choice === true ? {} : choice
  return pruneRows(rows, {
    tailTokens: settings.protectTokens ?? budget.tailTokens,
    protectFrom: settings.protectTokens === undefined ? tail : undefined,
    softCeilingTokens: Math.max(settings.protectTokens ?? 0, budget.softCeilingTokens),
    protectLast: protect.last,
    protectedTools: settings.protectedTools ?? [],
    minimumSavingsTokens: settings.minimumSavings ?? 1,
  })
}
