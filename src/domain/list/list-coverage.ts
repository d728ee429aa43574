import type { CoverageRow, Fate } from '../compaction/coverage.ts'
import type { Row } from '../dialects/row.ts'
import { chatMessageTokens } from '../tokens/chat-tokens.ts'
import type { ListInput } from './plan/list-input.ts'
import type { ListPlan } from './plan/plan-list.ts'

/**
 * One row per message of the input, in order, each with exactly one fate (docs/spec/contract.md §3). Tokens are those before pruning; the
 * items of one Responses answer share the figure of its first item.
 */
export function listCoverage(input: ListInput, plan: ListPlan): CoverageRow[] {
  const fates = new Array<Fate>(input.messages.length).fill(plan.kind === 'noop' ? 'kept' : 'ignored')
  const tokens = new Array<number>(input.messages.length).fill(0)
  for (const row of input.rows) {
    tokens[row.index] = (tokens[row.index] ?? 0) + chatMessageTokens(row.message)
  }
  const mark = (rows: readonly Row[], fate: Fate): void => {
    for (const row of rows) fates.fill(fate, row.index, row.index + (row.span ?? 1))
  }
  if (plan.kind !== 'noop') {
    const kept = plan.kind === 'plan' ? [...plan.head, ...plan.tail] : plan.pruned.rows
    const at = (positions: readonly number[]): Row[] =>
      positions.flatMap((position) => plan.pruned.rows[position] ?? [])
    const stays = new Set(kept)
    if (plan.kind === 'plan') {
      for (const index of plan.summaryIndexes) fates[index] = 'carried'
      mark(plan.rowsToSummarize, 'summarized')
    }
    mark(kept, 'kept')
    mark(
      at(plan.pruned.clipped).filter((row) => stays.has(row)),
      'clipped',
    )
    mark(
      at(plan.pruned.demoted).filter((row) => stays.has(row)),
      'pruned',
    )
  }
  return fates.map((fate, index) => ({ index, fate, tokens: tokens[index] ?? 0 }))
}
