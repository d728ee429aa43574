import { isRecord } from '../is-record.ts'
import { readDurable } from '../ledger/durable-ledger.ts'
import type { DurableLedger } from '../ledger/ledger-value.ts'
import { messagesOf, withoutNativeReplay } from '../session/build-context.ts'
import { type Entry, isOwnSummary } from '../session/entry.ts'
import type { LiveRegion } from '../session/live.ts'
import type { AgentMessage } from '../session/message.ts'
import { entryWeights } from '../session/session-tokens.ts'
import { type CutPoint, findCutPoint } from './cut-point.ts'
import { liveTokens, measuredUsage } from './measured-usage.ts'

/** The part of a plan that callers read (docs/spec/contract.md §3a). Tokens are estimates of the session estimator. */
export interface PlanReport {
  readonly firstKeptEntryId: string
  readonly isSplitTurn: boolean
  readonly summarizedEntryIds: readonly string[]
  readonly turnPrefixEntryIds: readonly string[]
  readonly keptEntryIds: readonly string[]
  /** Adapted to the measured usage. */
  readonly keepRecentTokens: number
  readonly tokens: { readonly history: number; readonly turnPrefix: number; readonly kept: number }
}

/** What a compaction will do: pure intention, no text made yet. */
export interface CompactionPlan {
  readonly report: PlanReport
  readonly historyMessages: readonly AgentMessage[]
  readonly prefixMessages: readonly AgentMessage[]
  readonly keptMessages: readonly AgentMessage[]
  readonly previousSummary?: string | undefined
  /** File lists of the previous compaction when it was ours, else absent. */
  readonly previousDetails?: unknown
  readonly previousPreserveData?: Readonly<Record<string, unknown>> | undefined
}

export type PlanOutcome =
  | { readonly kind: 'plan'; readonly plan: CompactionPlan }
  | { readonly kind: 'none'; readonly reason: 'already-compacted' | 'nothing-to-compact' }

export interface PlanInput {
  readonly live: LiveRegion
  readonly keepRecentTokens: number
  /** A failed answer that an overflow takes out of the context. */
  readonly dropEntryId?: string | null
  /** What pruning took out of the live region since the last measurement. */
  readonly tokensSaved?: number
}

/**
 * keepRecentTokens in estimated tokens: divided by measured/estimated when the provider counts more than we do
 * (docs/spec/compaction.md §5, §12). Both figures are of everything live, after pruning.
 */
export function adaptedKeep(input: PlanInput): number {
  const { live, keepRecentTokens, tokensSaved = 0 } = input
  const measured = measuredUsage(live)
  const estimate = liveTokens(live)
  if (measured === null || estimate === 0) return keepRecentTokens
  const ratio = (measured.promptTokens - tokensSaved) / estimate
  return ratio > 1 ? Math.max(1, Math.floor(keepRecentTokens / ratio)) : keepRecentTokens
}

interface Region {
  readonly entries: readonly Entry[]
  readonly tokens: number
}

interface Regions {
  readonly history: Region
  readonly prefix: Region
  readonly kept: Region
}

/** Carried entries are put in front of the history: omp before v18 lost them (docs/spec/compaction.md §5 "nothing is lost"). */
function regionsOf(live: LiveRegion, cut: CutPoint, dropEntryId: string | null): Regions {
  const weights = entryWeights(live.path)
  const between = (from: number, to: number): Region => {
    const entries: Entry[] = []
    let tokens = 0
    for (let at = from; at < to; at += 1) {
      const entry = live.path[at]
      if (entry === undefined || entry.type === 'compaction' || entry.id === dropEntryId) continue
      entries.push(entry)
      tokens += weights[at] ?? 0
    }
    return { entries, tokens }
  }
  const historyEnd = cut.turnStart < 0 ? cut.firstKept : cut.turnStart
  return {
    history: between(live.carriedStart, historyEnd),
    prefix: between(historyEnd, cut.firstKept),
    kept: between(cut.firstKept, live.path.length),
  }
}

function previousOf(
  live: LiveRegion,
): Pick<CompactionPlan, 'previousSummary' | 'previousDetails' | 'previousPreserveData'> {
  const { previous } = live
  if (previous === null) return {}
  return {
    previousSummary: previous.summary || undefined,
    previousDetails: isOwnSummary(previous) && isRecord(previous.details) ? previous.details : undefined,
    previousPreserveData: withoutNativeReplay(previous.preserveData),
  }
}

const idsOf = ({ entries }: Region): readonly string[] => entries.map((entry) => entry.id)

/**
 * What to summarise and what to keep, or why there is nothing to do. Every live entry lands in exactly one of the three lists;
 * the previous compaction lives on as `previousSummary`.
 */
export function planCompaction(input: PlanInput): PlanOutcome {
  const { live, dropEntryId = null } = input
  if (live.path.at(-1)?.type === 'compaction') return { kind: 'none', reason: 'already-compacted' }
  const cut = findCutPoint(live, adaptedKeep(input), dropEntryId)
  const plan = cut === null ? null : planAt(input, cut)
  if (plan === null) return { kind: 'none', reason: 'nothing-to-compact' }
  const { history, turnPrefix, kept } = plan.report.tokens
  // Everything live fits as it is.
  if (history + turnPrefix + kept <= plan.report.keepRecentTokens) return { kind: 'none', reason: 'nothing-to-compact' }
  return { kind: 'plan', plan }
}

/** The plan of one cut; null: nothing readable stands before it. */
export function planAt(input: PlanInput, cut: CutPoint): CompactionPlan | null {
  const { live, dropEntryId = null } = input
  const firstKeptEntryId = live.path[cut.firstKept]?.id
  if (firstKeptEntryId === undefined) return null
  const { history, prefix, kept } = regionsOf(live, cut, dropEntryId)
  const tokens = { history: history.tokens, turnPrefix: prefix.tokens, kept: kept.tokens }
  if (tokens.history + tokens.turnPrefix === 0) return null
  return {
    report: {
      firstKeptEntryId,
      isSplitTurn: cut.turnStart >= 0,
      summarizedEntryIds: idsOf(history),
      turnPrefixEntryIds: idsOf(prefix),
      keptEntryIds: idsOf(kept),
      keepRecentTokens: adaptedKeep(input),
      tokens,
    },
    historyMessages: messagesOf(history.entries),
    prefixMessages: messagesOf(prefix.entries),
    keptMessages: messagesOf(kept.entries),
    ...previousOf(live),
  }
}

/** What is left of a plan to be asked of a model when a part of it was summarised before (docs/spec/production.md §3). */
export function planOnTop(
  live: LiveRegion,
  plan: CompactionPlan,
  done: { readonly summarized: ReadonlySet<string>; readonly summary: string },
): CompactionPlan {
  const left = (ids: readonly string[]) => {
    const wanted = new Set(ids.filter((id) => !done.summarized.has(id)))
    return messagesOf(live.path.filter(({ id }) => wanted.has(id)))
  }
  return {
    ...plan,
    historyMessages: left(plan.report.summarizedEntryIds),
    prefixMessages: left(plan.report.turnPrefixEntryIds),
    previousSummary: done.summary,
  }
}

/** The durable ledger of the previous compaction when it was ours; null for none and for a damaged one. */
export const previousLedger = ({ previousDetails }: Pick<CompactionPlan, 'previousDetails'>): DurableLedger | null =>
  isRecord(previousDetails) ? readDurable(previousDetails['ledger']) : null
