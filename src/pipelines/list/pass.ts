import type { ParsedList } from '../../domain/dialects/parse-messages.ts'
import { checkValidity } from '../../domain/list/assemble/validity.ts'
import { judgeList, judgeState } from '../../domain/list/judge-pass.ts'
import { listCoverage } from '../../domain/list/list-coverage.ts'
import { listTokens } from '../../domain/list/list-tokens.ts'
import { type ListBudget, listBudget } from '../../domain/list/plan/list-budget.ts'
import type { ListInput } from '../../domain/list/plan/list-input.ts'
import type { ListPlan, SummaryPlan } from '../../domain/list/plan/plan-list.ts'
import { type CompactionState, encodeState } from '../../domain/list/state.ts'
import { afterNoProgress, STRIKING } from '../../domain/list/strikes.ts'
import { NO_USAGE, type SelectedModel } from '../../models/model.ts'
import type { CompactMessagesResult } from '../compact-result-schema.ts'
import type { CompactRequest } from '../compact-schema.ts'
import { openState } from '../pass-state.ts'
import type { CallContext, PipelineCall } from '../pipeline-context.ts'
import { askedWindow } from '../request-settings.ts'
import { selectModel } from '../select-model.ts'
import { openList, readingWarnings } from './open-list.ts'

/** Everything that is known of a pass over a message list before its plan. */
export interface ListPass {
  readonly request: CompactRequest
  readonly context: CallContext
  readonly list: ParsedList
  readonly model: SelectedModel
  readonly budget: ListBudget
  readonly enabled: boolean
  /** Estimate of the whole request: messages, system prompt, tool schemas. */
  readonly tokens: number
  /** The same, or what was measured of this list where that is more: what the trigger judges (docs/spec/reading.md §6). */
  readonly contextTokens: number
  readonly state: CompactionState
  readonly warnings: readonly string[]
}

/** A pass with the plan of a summary. */
export interface PlannedListPass extends ListPass {
  readonly plan: SummaryPlan
}

export function openListPass({ request, context, deps }: PipelineCall<CompactRequest>): ListPass {
  const list = openList(request, { context, deps })
  const model = selectModel(request, context, deps)
  const budget = listBudgetOf(request, model)
  const tokens = listTokens(list.rows, request)
  const contextTokens = Math.max(tokens, measuredTokens(request, context))
  const opened = openState(request, model.candidates[0].id, { tokens, thresholdTokens: budget.thresholdTokens })
  const enabled = request.settings?.enabled ?? deps.defaults.compaction.enabled
  const warnings = [...readingWarnings(list, context), ...opened.warnings]
  return { request, context, list, model, budget, enabled, tokens, contextTokens, state: opened.state, warnings }
}

/** A real prompt count of this list, from the request or recorded; 0 without one. */
export function measuredTokens({ lastUsage }: Pick<CompactRequest, 'lastUsage'>, { readFrom }: CallContext): number {
  return Math.max(lastUsage?.promptTokens ?? 0, readFrom?.measuredTokens ?? 0)
}

/**
 * Budgets of a list. Its own fields win; the common settings say the same in the sessions' words. A window of 0 is unknown
 * and measured by the model's.
 */
export function listBudgetOf(
  request: Pick<CompactRequest, 'contextWindow' | 'settings' | 'threshold' | 'thresholdTokens' | 'maxOutputTokens'>,
  model: SelectedModel,
): ListBudget {
  const { thresholdPercent = 0, thresholdTokens } = request.settings ?? {}
  const percent = thresholdPercent > 0 ? Math.min(99, Math.max(1, thresholdPercent)) / 100 : undefined
  return listBudget({
    contextWindow: askedWindow(request.contextWindow, model),
    maxOutputTokens: request.maxOutputTokens,
    threshold: request.threshold ?? percent,
    thresholdTokens: request.thresholdTokens ?? thresholdTokens,
  })
}

/** Rows kept at both ends unless the caller says otherwise (docs/spec/lists.md §2). */
const PROTECT = { first: 3, last: 20 }

export const listInputOf = ({ request, list, budget, state }: ListPass): ListInput => ({
  ...list,
  system: request.system,
  tools: request.tools,
  budget,
  protect: { first: request.protect?.first ?? PROTECT.first, last: request.protect?.last ?? PROTECT.last },
  prune: request.prune ?? true,
  state,
  force: request.force === true,
})

/** Why an automatic pass does not begin; manual ones always do, and an overflow must be dealt with (docs/spec/contract.md §3). */
export function listBlockedBy(
  { request, enabled, contextTokens: tokens, budget, state }: ListPass,
  nowMs: number,
): CompactMessagesResult['reason'] | null {
  if (request.reason === 'manual') return null
  if (!enabled) return 'disabled'
  if (request.reason === 'overflow') return null
  const { thresholdTokens } = budget
  if (request.reason === 'threshold' && request.contextWindow === 0) return 'below-threshold'
  const judge = request.reason === 'threshold' ? judgeList : judgeState
  return judge({ state, tokens, thresholdTokens, nowMs })
}

/** The answer of a pass that did not begin: nothing was tried, so the state is returned unchanged. */
export const blockedList = (
  pass: ListPass,
  reason: NonNullable<CompactMessagesResult['reason']>,
): CompactMessagesResult => ({ ...noListPass(pass, reason), state: encodeState(pass.state) })

/** A dry run of this plan: what would become of the messages, which stay as they are. */
export const dryList = (
  pass: ListPass,
  plan: ListPlan,
  more: Partial<CompactMessagesResult>,
): CompactMessagesResult => ({
  ...noListPass(pass, 'dry-run', more),
  boundaries: plan.kind === 'plan' ? plan.boundaries : NO_BOUNDARIES,
  plan: listPlanOf(pass, plan),
})

/** `plan` of a list: the fate of every message, where it was asked for. */
export const listPlanOf = (pass: ListPass, plan: ListPlan): CompactMessagesResult['plan'] =>
  pass.request.coverage ? { coverage: listCoverage(listInputOf(pass), plan) } : undefined

const NO_BOUNDARIES = { start: 0, end: 0 } as const

/** The answer that leaves the caller's messages untouched, markers and all. A due pass that could do nothing is a strike. */
export function noListPass(
  pass: ListPass,
  reason: NonNullable<CompactMessagesResult['reason']>,
  more: Partial<CompactMessagesResult> = {},
): CompactMessagesResult {
  const { list, tokens, budget, state, warnings } = pass
  const tried = STRIKING.has(reason)
  return {
    compacted: false,
    reason,
    method: 'none',
    // As they came: compaction items of ours were opened for reading only.
    messages: pass.request.messages ?? list.messages,
    boundaries: NO_BOUNDARIES,
    plan: listPlanOf(pass, { kind: 'noop', reason: 'nothing-to-compact', tokensBefore: tokens }),
    droppedCount: 0,
    fallbackUsed: false,
    noLiveUserTurn: false,
    validity: checkValidity(list.rows, list, []),
    progress: { tokensBefore: tokens, tokensAfter: tokens, madeProgress: false },
    next: { resetSession: tried && tokens >= budget.thresholdTokens },
    calls: [],
    usage: NO_USAGE,
    degraded: false,
    warnings,
    state: encodeState(tried ? afterNoProgress(state, tokens, budget.thresholdTokens) : state),
    ...more,
  }
}
