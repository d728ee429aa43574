import { coverageOf } from '../../domain/compaction/coverage.ts'
import { contextTokens, liveTokens } from '../../domain/compaction/measured-usage.ts'
import type { CompactionPlan, PlanReport } from '../../domain/compaction/plan.ts'
import {
  applyPruning,
  DEFAULT_PRUNE,
  NOTHING_PRUNED,
  type Pruned,
  pruneToolOutputs,
} from '../../domain/compaction/prune-entries.ts'
import type { CompactionSettings } from '../../domain/compaction/settings.ts'
import { failedAnswerId } from '../../domain/compaction/trigger.ts'
import { type CompactionState, encodeState } from '../../domain/list/state.ts'
import { afterNoProgress, STRIKING } from '../../domain/list/strikes.ts'
import { CONTINUE_PROMPT } from '../../domain/list/user-row.ts'
import type { Entry } from '../../domain/session/entry.ts'
import { type LiveRegion, liveRegion } from '../../domain/session/live.ts'
import { pathTo } from '../../domain/session/path.ts'
import { readSession, type Session } from '../../domain/session/session.ts'
import { NO_USAGE, type SelectedModel } from '../../models/model.ts'
import type { CompactSessionResult } from '../compact-result-schema.ts'
import type { CompactRequest } from '../compact-schema.ts'
import { openState } from '../pass-state.ts'
import type { CallContext, PipelineCall } from '../pipeline-context.ts'
import { pruneSettingsOf, settingsOf } from '../request-settings.ts'
import { selectModel } from '../select-model.ts'

/** Everything that is known of a pass before its plan. */
export interface Pass {
  readonly request: CompactRequest
  readonly context: CallContext
  readonly session: Session
  readonly model: SelectedModel
  readonly settings: CompactionSettings
  /** From the root to the leaf, as it came. */
  readonly path: readonly Entry[]
  /** Live region of the asked path, after pruning. */
  readonly live: LiveRegion
  readonly pruned: Pruned
  /** Estimate of everything live, before pruning. */
  readonly tokensBefore: number
  /** What the trigger judges: measured usage where there is one, after pruning. */
  readonly contextTokens: number
  readonly dropEntryId: string | null
  readonly state: CompactionState
  readonly warnings: readonly string[]
}

/** A pass with its plan. */
export interface PlannedPass extends Pass {
  readonly plan: CompactionPlan
}

export function openPass({ request, context, deps }: PipelineCall<CompactRequest>): Pass {
  const session = readSession(request.entries ?? [])
  const path = pathTo(session, request.leafId ?? undefined)
  const model = selectModel(request, context, deps)
  const { settings, warnings } = settingsOf(request, model, deps)
  const before = liveRegion(path)
  const pruned = prune(request, path, settings.enabled)
  const live = pruned.count === 0 ? before : liveRegion(applyPruning(path, pruned, deps.now()))
  const tokens = contextTokens(live, pruned.tokensSaved)
  const opened = openState(request, model.candidates[0].id, { tokens, thresholdTokens: settings.thresholdTokens })
  return {
    request,
    context,
    session,
    path,
    model,
    settings,
    live,
    pruned,
    tokensBefore: liveTokens(before),
    contextTokens: tokens,
    dropEntryId: request.reason === 'overflow' ? failedAnswerId(live) : null,
    state: opened.state,
    warnings: [...context.readWarnings, ...session.warnings, ...warnings, ...opened.warnings],
  }
}

/** Before a threshold compaction unless that is switched off; else only where it was asked for (docs/spec/contract.md §3). */
function prune(request: CompactRequest, path: readonly Entry[], enabled: boolean): Pruned {
  const { prune: asked = request.reason === 'threshold' && enabled } = request
  if (asked === false) return NOTHING_PRUNED
  return pruneToolOutputs(path, asked === true ? DEFAULT_PRUNE : pruneSettingsOf(asked))
}

const NOTHING_NEXT = { willRetry: false, dropEntryId: null, continuePrompt: null } as const

/** The answer of a pass that changes nothing but what it pruned. A due pass that could do nothing is a strike. */
export function noPass(
  pass: Pass,
  reason: NonNullable<CompactSessionResult['reason']>,
  more: Partial<CompactSessionResult> = {},
): CompactSessionResult {
  const { state, contextTokens: tokens, settings, tokensBefore, pruned } = pass
  return {
    compacted: false,
    reason,
    // What is listed there is for the agent to apply, whatever came of the rest (docs/spec/compaction.md §4).
    method: pruned.count > 0 && reason !== 'dry-run' ? 'prune' : 'none',
    pruned: prunedOf(pruned),
    progress: { tokensBefore, tokensAfter: liveTokens(pass.live), madeProgress: false },
    next: NOTHING_NEXT,
    calls: [],
    usage: NO_USAGE,
    degraded: false,
    warnings: pass.warnings,
    state: encodeState(STRIKING.has(reason) ? afterNoProgress(state, tokens, settings.thresholdTokens) : state),
    ...more,
  }
}

/** The answer of a pass that did not begin: nothing was tried, so the state is returned unchanged. */
export const blockedPass = (pass: Pass, reason: NonNullable<CompactSessionResult['reason']>): CompactSessionResult =>
  noPass(pass, reason, { state: encodeState(pass.state) })

export const prunedOf = ({ count, tokensSaved, entries }: Pruned): CompactSessionResult['pruned'] => ({
  count,
  tokensSaved,
  entries: [...entries],
})

/** The plan as callers read it; coverage where it was asked for. */
export function planOf(pass: Pass, report: PlanReport): NonNullable<CompactSessionResult['plan']> {
  const { session, live, pruned, request } = pass
  return {
    ...report,
    coverage: request.coverage ? coverageOf({ session, live, report, pruned }) : undefined,
  }
}

/** What the agent does after a compaction (docs/spec/contract.md §3a, `next`). */
export function nextOf({ request, settings, dropEntryId }: Pass): CompactSessionResult['next'] {
  if (request.reason === 'overflow') return { ...NOTHING_NEXT, willRetry: true, dropEntryId }
  if (request.reason === 'threshold' && settings.autoContinue)
    return { ...NOTHING_NEXT, continuePrompt: CONTINUE_PROMPT }
  return NOTHING_NEXT
}
