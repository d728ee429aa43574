import type { LiveRegion } from '../session/live.ts'
import { entriesTokens } from '../session/session-tokens.ts'
import type { PlanReport } from './plan.ts'

/**
 * The plan as it is when somebody else chose the cut: everything live before `firstKeptEntryId` is summarised, everything
 * from there on is kept, and no turn counts as split. The id must stand on the path.
 */
export function planFrom(
  live: LiveRegion,
  report: PlanReport,
  options: { readonly firstKeptEntryId: string; readonly dropEntryId: string | null },
): PlanReport {
  const { firstKeptEntryId, dropEntryId } = options
  if (firstKeptEntryId === report.firstKeptEntryId) return report
  const at = live.path.findIndex(({ id }) => id === firstKeptEntryId)
  const between = (from: number, to: number) =>
    live.path.slice(from, to).filter((entry) => entry.type !== 'compaction' && entry.id !== dropEntryId)
  // What stands before a reset_boundary stays out of the context, whatever is asked.
  const kept = between(Math.max(at, live.start), live.path.length)
  const summarized = between(live.carriedStart, Math.max(at, live.carriedStart))
  return {
    firstKeptEntryId,
    isSplitTurn: false,
    summarizedEntryIds: summarized.map(({ id }) => id),
    turnPrefixEntryIds: [],
    keptEntryIds: kept.map(({ id }) => id),
    keepRecentTokens: report.keepRecentTokens,
    tokens: { history: entriesTokens(summarized), turnPrefix: 0, kept: entriesTokens(kept) },
  }
}
