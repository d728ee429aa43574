import type { LiveRegion } from '../session/live.ts'
import type { Session } from '../session/session.ts'
import { entryTokens } from '../session/session-tokens.ts'
import type { PlanReport } from './plan.ts'
import type { Pruned } from './prune-entries.ts'

export type Fate = 'kept' | 'summarized' | 'turn-prefix' | 'pruned' | 'clipped' | 'carried' | 'ignored'

/** What became of one input row; `index` only for rows without an id. */
export type CoverageRow = ({ readonly id: string } | { readonly index: number }) & {
  readonly fate: Fate
  /** Estimate before pruning. */
  readonly tokens: number
}

/** Entries that live on only in the previous summary, and that summary itself: carried. Before a reset_boundary: ignored. */
function carriedIds(live: LiveRegion): readonly string[] {
  if (live.previous === null) return []
  const older = live.path.slice(live.carriedStart, live.previousIndex).filter((entry) => entry.type === 'compaction')
  return [...live.path.slice(live.start, live.carriedStart), ...older, live.previous].map((entry) => entry.id)
}

/**
 * One row per line of the input, in order, each with exactly one fate (docs/spec/contract.md §3a), so nobody can lose one unseen. Pruning
 * wins over the region, since it is what happened to the text; the header, other branches and a dropped answer are ignored.
 */
export function coverageOf(input: {
  readonly session: Session
  readonly live: LiveRegion
  readonly report: PlanReport
  readonly pruned: Pruned
}): readonly CoverageRow[] {
  const { session, live, report, pruned } = input
  const fates = new Map<string, Fate>()
  const mark = (ids: readonly string[], fate: Fate): void => {
    for (const id of ids) fates.set(id, fate)
  }
  mark(carriedIds(live), 'carried')
  mark(report.summarizedEntryIds, 'summarized')
  mark(report.turnPrefixEntryIds, 'turn-prefix')
  mark(report.keptEntryIds, 'kept')
  mark(
    pruned.entries.map((entry) => entry.id),
    'pruned',
  )
  const inTree = new Set<unknown>(session.entries)
  return session.rows.map((row, index) => {
    const fate = row.id !== undefined && inTree.has(row) ? (fates.get(row.id) ?? 'ignored') : 'ignored'
    const tokens = entryTokens(row)
    return row.id === undefined ? { index, fate, tokens } : { id: row.id, fate, tokens }
  })
}
