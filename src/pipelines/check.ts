import { judgeTrigger, lastErrorText } from '../domain/compaction/trigger.ts'
import { judgeList, judgeState } from '../domain/list/judge-pass.ts'
import { listTokens } from '../domain/list/list-tokens.ts'
import { encodeState } from '../domain/list/state.ts'
import { liveRegion } from '../domain/session/live.ts'
import { pathTo } from '../domain/session/path.ts'
import { readSession } from '../domain/session/session.ts'
import { SESSION_ESTIMATOR } from '../domain/session/session-tokens.ts'
import { CHAT_ESTIMATOR } from '../domain/tokens/chat-tokens.ts'
import { classifyText } from '../models/failures/classify-text.ts'
import type { CheckRequest, CheckResult } from './check-schema.ts'
import { openList, readingWarnings } from './list/open-list.ts'
import { listBudgetOf, measuredTokens } from './list/pass.ts'
import { openState } from './pass-state.ts'
import type { PipelineCall, PipelineDeps } from './pipeline-context.ts'
import { settingsOf } from './request-settings.ts'
import { selectModel } from './select-model.ts'
import { sourceOf } from './source-of.ts'

/** Should this session or message list be compacted now, and what was its last error? Asks no model. */
export const check = (call: PipelineCall<CheckRequest>): CheckResult =>
  call.request.messages === undefined ? checkSession(call) : checkList(call)

function checkSession({ request, context, deps }: PipelineCall<CheckRequest>): CheckResult {
  const session = readSession(request.entries ?? [])
  const live = liveRegion(pathTo(session, request.leafId ?? undefined))
  const model = selectModel(request, context, deps)
  const { settings, warnings } = settingsOf(request, model, deps)
  const stored = lastErrorText(live)
  const lastError = classified(request.lastError ?? (stored === null ? null : { message: stored }), deps.now())
  const known = request.contextWindow === 0 ? { ...settings, contextWindow: 0 } : settings
  const verdict = judgeTrigger({ live, settings: known, isErrorOverflow: lastError?.isOverflow === true })
  const size = { tokens: verdict.contextTokens, thresholdTokens: verdict.thresholdTokens }
  const opened = openState(request, model.candidates[0].id, size)
  // An overflow must be dealt with whatever came of earlier passes; only the threshold waits for a cooldown.
  const held = verdict.reason === 'threshold' ? judgeState({ state: opened.state, ...size, nowMs: deps.now() }) : null
  return {
    shouldCompact: verdict.shouldCompact && held === null,
    reason: held === null ? verdict.reason : null,
    blockedBy: verdict.blockedBy ?? held,
    contextTokens: verdict.contextTokens,
    thresholdTokens: verdict.thresholdTokens,
    estimator: SESSION_ESTIMATOR,
    lastError,
    state: encodeState(opened.state),
    warnings: [...context.readWarnings, ...session.warnings, ...warnings, ...opened.warnings],
    source: sourceOf({ request, context }),
  }
}

function checkList({ request, context, deps }: PipelineCall<CheckRequest>): CheckResult {
  const model = selectModel(request, context, deps)
  const list = openList(request, { context, deps })
  const { thresholdTokens } = listBudgetOf(request, model)
  const tokens = Math.max(listTokens(list.rows, request), measuredTokens(request, context))
  const opened = openState(request, model.candidates[0].id, { tokens, thresholdTokens })
  const lastError = classified(request.lastError ?? null, deps.now())
  const isOverflow = lastError?.isOverflow === true
  const block = judgeList({ state: opened.state, tokens, thresholdTokens, nowMs: deps.now() })
  // A window of 0 is unknown: nothing can be over its threshold (docs/bug-log.md B067).
  const due = block !== 'below-threshold' && request.contextWindow !== 0
  const blockedBy = isDisabled(request, deps) ? 'disabled' : due && !isOverflow ? block : null
  const shouldCompact = (isOverflow || due) && blockedBy === null
  return {
    shouldCompact,
    reason: !shouldCompact ? null : isOverflow ? 'overflow' : 'threshold',
    blockedBy: isOverflow || due ? blockedBy : null,
    contextTokens: tokens,
    thresholdTokens,
    estimator: CHAT_ESTIMATOR,
    lastError,
    state: encodeState(opened.state),
    warnings: [...readingWarnings(list, context), ...opened.warnings],
    source: sourceOf({ request, context }),
  }
}

const isDisabled = ({ settings }: CheckRequest, deps: PipelineDeps) =>
  !(settings?.enabled ?? deps.defaults.compaction.enabled)

function classified(
  error: { message: string; status?: number | undefined } | null,
  nowMs: number,
): CheckResult['lastError'] {
  return error === null ? null : classifyText(error, nowMs)
}
