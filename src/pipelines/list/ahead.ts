import type { SummaryPlan } from '../../domain/list/plan/plan-list.ts'
import { findPrepared, keepPrepared, type Prepared, type SummarizedRegion, sha256 } from '../ahead/prepared.ts'
import { variantOf } from '../ahead/variant.ts'
import type { PipelineDeps } from '../pipeline-context.ts'
import type { ListPass, PlannedListPass } from './pass.ts'

/** A prepared summary as this pass can use it. */
export interface TakenList {
  readonly prepared: Prepared
  /** `whole`: its region is this pass's region. `part`: only what came since is summarised, on top of it. */
  readonly use: 'whole' | 'part'
}

/** The summary that was made ahead of time for what this list begins with (docs/spec/production.md §3). */
export async function preparedFor(pass: ListPass, deps: PipelineDeps): Promise<Prepared | undefined> {
  const prepared = pass.request.ahead ? undefined : await findPrepared(deps.shelf, regionOf(pass, deps))
  return prepared?.history === undefined ? undefined : prepared
}

/** How a plan that knows of a prepared summary uses it. */
export function takenBy({ boundaries }: SummaryPlan, prepared: Prepared | undefined): TakenList | undefined {
  if (prepared === undefined || boundaries.start !== prepared.start || boundaries.end < prepared.count) return undefined
  return { prepared, use: boundaries.end === prepared.count ? 'whole' : 'part' }
}

/** What is left to be asked: the rows after the prepared region, on top of its summary. */
export function questionOnTop(plan: SummaryPlan, { prepared }: TakenList): SummaryPlan {
  const rowsToSummarize = plan.rowsToSummarize.filter(({ index }) => index >= prepared.count)
  return { ...plan, rowsToSummarize, previousSummary: prepared.history ?? plan.previousSummary }
}

/** Puts the answer aside under the hash of the messages it summarises; returns until when it is kept, undefined where no room is configured for it. */
export async function putListAside(
  pass: PlannedListPass,
  answer: { readonly text: string; readonly degraded: boolean },
  deps: PipelineDeps,
): Promise<string | undefined> {
  const { start, end } = pass.plan.boundaries
  const prepared = {
    count: end,
    start,
    turnStart: null,
    history: answer.text,
    degraded: answer.degraded,
    hooked: sha256(),
  }
  const { aheadTtlMs } = deps.defaults
  const isKept = await keepPrepared(deps.shelf, regionOf(pass, deps), { prepared, ttlMs: aheadTtlMs })
  return isKept ? new Date(deps.now() + aheadTtlMs).toISOString() : undefined
}

function regionOf({ request, context, model, list }: ListPass, deps: PipelineDeps): SummarizedRegion {
  return { rows: list.messages, variant: variantOf({ kind: 'list', request, context, model, deps }) }
}
