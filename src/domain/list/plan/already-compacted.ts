import { isInstruction, isResult, type Row } from '../../dialects/row.ts'
import type { UnwrappedRows } from '../assemble/unwrap-handoffs.ts'
import { sumTokens } from '../list-tokens.ts'
import type { ListBudget } from './list-budget.ts'

const FEW_ROWS = 8

/**
 * True for a list as a pass gives it out: at most a protected head, one summary, and no more after it than a tail holds. To
 * fold it again would cost a model call and gain nothing, also for callers that send no state (docs/bug-log.md T11). `rows` are those
 * without summaries, `foldEnd` is where the tail would begin.
 */
export function isAlreadyCompacted(
  rows: readonly Row[],
  foldEnd: number,
  list: { readonly unwrapped: UnwrappedRows; readonly protectFirst: number; readonly budget: ListBudget },
): boolean {
  const { indexes, goesOn } = list.unwrapped
  const last = indexes.at(-1)
  if (last === undefined) return false
  const before = rows.filter((row) => row.index < last || (row.index === last && (isResult(row) || !goesOn)))
  // More rows than a head has were never folded, whatever summary stands after them.
  const turns = before.filter((row) => !isInstruction(row) && !isResult(row) && row.carried !== true)
  if (turns.length > list.protectFirst + 1) return false
  const after = rows.slice(before.length)
  const fits = after.length <= FEW_ROWS || sumTokens(after) <= list.budget.softCeilingTokens
  // What could be folded weighs less than the progress that a pass must make.
  const folded = sumTokens(rows.slice(before.length, foldEnd))
  return fits || foldEnd <= before.length || folded * 20 < sumTokens(after)
}
