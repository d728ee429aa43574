import {
  type AbandonedBranch,
  type BranchSelection,
  collectAbandoned,
  type Placement,
  placementOf,
  selectWithinBudget,
} from '../../domain/compaction/branch.ts'
import { resolveReserve } from '../../domain/compaction/settings.ts'
import { readSession, type Session } from '../../domain/session/session.ts'
import { NO_USAGE, type SelectedModel } from '../../models/model.ts'
import type { CallContext, PipelineCall } from '../pipeline-context.ts'
import { askedWindow } from '../request-settings.ts'
import { selectModel } from '../select-model.ts'
import type { BranchSummaryRequest, BranchSummaryResult } from './branch-schema.ts'

/** Everything that is known of a navigation before any summary. */
export interface BranchPass {
  readonly request: BranchSummaryRequest
  readonly context: CallContext
  readonly session: Session
  readonly model: SelectedModel
  readonly abandoned: AbandonedBranch
  readonly selection: BranchSelection
  readonly placement: Placement
  /** False: the agent stands there already. */
  readonly isMove: boolean
  readonly reserveTokens: number
  readonly tokenBudget: number
  readonly warnings: readonly string[]
}

/** Throws `unknown-target`, `unknown-leaf`, `broken-tree`, `no-entries`, `unknown-model`. */
export function openBranchPass({ request, context, deps }: PipelineCall<BranchSummaryRequest>): BranchPass {
  const { oldLeafId, targetId } = request
  const session = readSession(request.entries)
  const abandoned = collectAbandoned(session, oldLeafId, targetId)
  const model = selectModel({ model: request.model }, context, deps)
  const contextWindow = askedWindow(request.contextWindow, model)
  const given = request.settings?.reserveTokens ?? deps.defaults.branchReserveTokens
  const { reserveTokens, warnings } = resolveReserve(given, contextWindow)
  const isMove = oldLeafId !== targetId
  const tokenBudget = contextWindow - reserveTokens
  return {
    request,
    context,
    session,
    model,
    abandoned,
    selection: selectWithinBudget(abandoned.entries, tokenBudget),
    placement: isMove ? placementOf(session, targetId) : { positionId: targetId, fromId: targetId, editorText: null },
    isMove,
    reserveTokens,
    tokenBudget,
    warnings: [...context.readWarnings, ...session.warnings, ...warnings],
  }
}

export const collectedOf = ({ abandoned, selection, tokenBudget }: BranchPass): BranchSummaryResult['collected'] => ({
  commonAncestorId: abandoned.commonAncestorId,
  entryIds: abandoned.entries.map(({ id }) => id),
  includedEntryIds: selection.includedEntryIds,
  totalTokens: selection.totalTokens,
  tokenBudget,
})

/** The navigation without a summary. */
export function noSummary(
  pass: BranchPass,
  reason: NonNullable<BranchSummaryResult['reason']>,
  more: Partial<BranchSummaryResult> = {},
): BranchSummaryResult {
  return {
    summarized: false,
    reason,
    method: 'none',
    entry: null,
    newLeafId: pass.placement.positionId,
    editorText: pass.placement.editorText,
    collected: collectedOf(pass),
    calls: [],
    usage: NO_USAGE,
    degraded: false,
    warnings: pass.warnings,
    ...more,
  }
}
