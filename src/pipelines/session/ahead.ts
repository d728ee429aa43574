import { adaptedKeep, type CompactionPlan, planAt, planOnTop } from '../../domain/compaction/plan.ts'
import { entriesTokens } from '../../domain/session/session-tokens.ts'
import { mergeSummary } from '../../domain/summary/merge.ts'
import { findPrepared, keepPrepared, type Prepared, type SummarizedRegion } from '../ahead/prepared.ts'
import { variantOf } from '../ahead/variant.ts'
import type { PipelineDeps } from '../pipeline-context.ts'
import type { Pass, PlannedPass } from './pass.ts'

/** A prepared summary as this pass can use it. */
export interface Taken {
  readonly prepared: Prepared
  /** `whole`: its cut is this pass's cut. `part`: only what came since is summarised, on top of it. */
  readonly use: 'whole' | 'part'
  /** What the models are still to be asked of. */
  readonly question: CompactionPlan
}

/** What came since may be this many times what a plan keeps; more would fill the context. */
const KEPT_AT_MOST = 1.5

/** The plan of this pass with the summary that was prepared for it, where there is one that fits (docs/spec/production.md §3). */
export async function takePrepared(
  pass: PlannedPass,
  deps: PipelineDeps,
): Promise<{ readonly plan: CompactionPlan; readonly taken?: Taken }> {
  const { live, dropEntryId, plan } = pass
  const prepared = pass.request.ahead ? undefined : await findPrepared(deps.shelf, regionOf(pass, deps))
  if (prepared === undefined) return { plan }
  const isUsable = prepared.count > live.windowStart && live.path[prepared.count] !== undefined
  if (!isUsable) return { plan }
  const kept = live.path.slice(prepared.count).filter(({ id }) => id !== dropEntryId)
  const input = planInputOf(pass)
  if (entriesTokens(kept) <= KEPT_AT_MOST * adaptedKeep(input)) {
    const whole = planAt(input, { firstKept: prepared.count, turnStart: prepared.turnStart ?? -1 })
    return whole === null ? { plan } : { plan: whole, taken: { prepared, use: 'whole', question: whole } }
  }
  const summarized = new Set(live.path.slice(0, prepared.count).map(({ id }) => id))
  const summary = preparedText(prepared, plan.previousSummary)
  const firstKept = live.path.findIndex(({ id }) => id === plan.report.firstKeptEntryId)
  if (firstKept <= prepared.count) return { plan }
  return { plan, taken: { prepared, use: 'part', question: planOnTop(live, plan, { summarized, summary }) } }
}

export const planInputOf = ({ live, dropEntryId, settings, pruned }: Pass) => ({
  live,
  dropEntryId,
  keepRecentTokens: settings.keepRecentTokens,
  tokensSaved: pruned.tokensSaved,
})

/** One text of what was prepared, as a later summary builds on it. */
export const preparedText = ({ history, prefix }: Prepared, previousSummary: string | undefined): string =>
  mergeSummary({ history, prefix, previousSummary })

/** Rows as they came, before any pruning. */
function regionOf(pass: Pass, deps: PipelineDeps): SummarizedRegion {
  const { request, context, model, path } = pass
  return { rows: path, variant: variantOf({ kind: 'session', request, context, model, deps }) }
}

/** Puts the answers aside under the hash of what they summarise; returns until when they are kept, undefined where no room is configured for them. */
export async function putAside(
  pass: PlannedPass,
  answers: Pick<Prepared, 'history' | 'prefix' | 'short' | 'degraded' | 'hooked'>,
  deps: PipelineDeps,
): Promise<string | undefined> {
  const { path, plan } = pass
  const { firstKeptEntryId, isSplitTurn, turnPrefixEntryIds } = plan.report
  const count = path.findIndex(({ id }) => id === firstKeptEntryId)
  const turnStart = path.findIndex(({ id }) => id === turnPrefixEntryIds[0])
  const prepared = { ...answers, count, start: 0, turnStart: isSplitTurn && turnStart >= 0 ? turnStart : null }
  const { aheadTtlMs } = deps.defaults
  const isKept = await keepPrepared(deps.shelf, regionOf(pass, deps), { prepared, ttlMs: aheadTtlMs })
  return isKept ? new Date(deps.now() + aheadTtlMs).toISOString() : undefined
}
