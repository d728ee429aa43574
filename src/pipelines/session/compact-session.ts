import { planCompaction } from '../../domain/compaction/plan.ts'
import { judgeState } from '../../domain/list/judge-pass.ts'
import { notPrepared } from '../ahead/not-prepared.ts'
import type { CompactAheadResult, CompactSessionResult } from '../compact-result-schema.ts'
import type { CompactRequest } from '../compact-schema.ts'
import { failedPass } from '../pass-state.ts'
import type { PipelineCall, PipelineDeps, Step } from '../pipeline-context.ts'
import { planInputOf, takePrepared } from './ahead.ts'
import { compactByHook } from './hooks.ts'
import { blockedPass, noPass, openPass, type Pass } from './pass.ts'
import { summarizeAhead, summarizePlan } from './summarize.ts'

/** One session in, the compaction entry to append out; on any failure the caller's session is exactly as before. */
export async function compactSession(
  call: PipelineCall<CompactRequest>,
  signal: AbortSignal,
): Promise<CompactSessionResult | CompactAheadResult> {
  const { deps, emit } = call
  const pass = openPass(call)
  if (call.request.ahead) return prepareSession({ pass, deps, emit }, signal)
  const result = await run({ pass, deps, emit }, signal)
  count(pass, result, deps)
  return result
}

async function run({ pass, deps, emit }: Step<Pass>, signal: AbortSignal): Promise<CompactSessionResult> {
  if (pass.pruned.count > 0) emit?.({ name: 'pruned', data: pass.pruned })
  const blocked = blockedBy(pass, deps.now())
  if (blocked !== null) return blockedPass(pass, blocked)
  const outcome = planCompaction(planInputOf(pass))
  if (outcome.kind === 'none') return noPass(pass, outcome.reason)
  const { plan, taken } = await takePrepared({ ...pass, plan: outcome.plan }, deps)
  emit?.({ name: 'plan', data: plan.report })
  try {
    const { result, warnings } = await compactByHook({ pass: { ...pass, plan }, deps }, signal)
    if (result !== null) return result
    const warned = { ...pass, plan, warnings: [...pass.warnings, ...warnings] }
    return await summarizePlan({ pass: warned, deps, emit, taken, unprepared: outcome.plan }, signal)
  } catch (error) {
    throw failedPass(error, { reason: pass.request.reason, state: pass.state, nowMs: deps.now() })
  }
}

/** `ahead: true`: the summary is made now and put aside; nothing of the session changes. */
async function prepareSession({ pass, deps, emit }: Step<Pass>, signal: AbortSignal): Promise<CompactAheadResult> {
  if (pass.request.reason !== 'manual' && !pass.settings.enabled) return notPrepared(pass, 'disabled')
  const outcome = planCompaction(planInputOf(pass))
  if (outcome.kind === 'none') return notPrepared(pass, outcome.reason)
  const planned = { ...pass, plan: outcome.plan }
  emit?.({ name: 'plan', data: outcome.plan.report })
  try {
    return await summarizeAhead({ pass: planned, deps, emit }, signal)
  } catch (error) {
    throw failedPass(error, { reason: pass.request.reason, state: pass.state, nowMs: deps.now() })
  }
}

/** Why an automatic pass does not begin; a manual one always does (docs/spec/contract.md §3). */
function blockedBy(pass: Pass, nowMs: number): 'disabled' | 'below-threshold' | 'cooldown' | 'ineffective' | null {
  const { request, settings, state, contextTokens } = pass
  if (request.reason === 'manual') return null
  if (!settings.enabled) return 'disabled'
  // A window of 0 is unknown: nothing can be over its threshold (docs/bug-log.md B067).
  if (request.reason === 'threshold' && (request.contextWindow === 0 || contextTokens <= settings.thresholdTokens))
    return 'below-threshold'
  // An overflow must be mended whatever the passes before it brought.
  if (request.reason === 'overflow') return null
  return judgeState({ state, tokens: contextTokens, thresholdTokens: settings.thresholdTokens, nowMs })
}

function count(pass: Pass, result: CompactSessionResult, deps: PipelineDeps): void {
  const { progress, compacted, reason = 'compacted', plan } = result
  if (reason === 'dry-run') return
  deps.observer.compaction({
    kind: 'session',
    caller: pass.context.callerName,
    reason: pass.request.reason,
    result: compacted ? 'compacted' : reason,
    prunedTokens: pass.pruned.tokensSaved,
    tokensBefore: compacted ? progress.tokensBefore : undefined,
    tokensAfter: compacted ? progress.tokensAfter : undefined,
    splitTurn: compacted && plan?.isSplitTurn === true,
  })
}
