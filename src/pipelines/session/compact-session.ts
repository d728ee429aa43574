import { planCompaction } from '../../domain/compaction/plan.ts'
import { judgeState } from '../../domain/list/judge-pass.ts'
import type { CompactRequest, CompactSessionResult } from '../compact-schema.ts'
import { failedPass } from '../pass-state.ts'
import type { CallContext, Emit, PipelineDeps } from '../pipeline-context.ts'
import { compactByHook } from './hooks.ts'
import { noPass, openPass, type Pass } from './pass.ts'
import { summarizePlan } from './summarize.ts'

/** One session in, the compaction entry to append out; on any failure the caller's session is exactly as before. */
export async function compactSession(
  request: CompactRequest,
  context: CallContext,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit?: Emit,
): Promise<CompactSessionResult> {
  const pass = openPass(request, context, deps)
  const result = await run(pass, deps, signal, emit)
  count(pass, result, deps)
  return result
}

async function run(
  pass: Pass,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
): Promise<CompactSessionResult> {
  if (pass.pruned.count > 0) emit?.('pruned', pass.pruned)
  const blocked = blockedBy(pass, deps.now())
  if (blocked !== null) return noPass(pass, blocked)
  const { live, dropEntryId, settings, pruned } = pass
  const outcome = planCompaction({
    live,
    dropEntryId,
    keepRecentTokens: settings.keepRecentTokens,
    tokensSaved: pruned.tokensSaved,
  })
  if (outcome.kind === 'none') return noPass(pass, outcome.reason)
  emit?.('plan', outcome.plan.report)
  try {
    const { result, warnings } = await compactByHook(pass, outcome.plan, deps, signal)
    if (result !== null) return result
    return await summarizePlan({ ...pass, warnings: [...pass.warnings, ...warnings] }, outcome.plan, deps, signal, emit)
  } catch (error) {
    throw failedPass(error, pass.request.reason, pass.state, deps.now())
  }
}

/** Why an automatic pass does not begin; a manual one always does (http-api §3). */
function blockedBy(pass: Pass, nowMs: number): 'disabled' | 'below-threshold' | 'cooldown' | 'ineffective' | null {
  const { request, settings, state, contextTokens } = pass
  if (request.reason === 'manual') return null
  if (!settings.enabled) return 'disabled'
  // A window of 0 is unknown: nothing can be over its threshold (bug-log B067).
  if (request.reason === 'threshold' && (request.contextWindow === 0 || contextTokens <= settings.thresholdTokens))
    return 'below-threshold'
  // An overflow must be mended whatever the passes before it brought.
  if (request.reason === 'overflow') return null
  const { reason } = judgeState({ state, tokens: contextTokens, thresholdTokens: settings.thresholdTokens, nowMs })
  return reason === 'cooldown' || reason === 'ineffective' ? reason : null
}

function count(pass: Pass, result: CompactSessionResult, deps: PipelineDeps): void {
  const { progress, compacted, reason = 'compacted', plan } = result
  if (reason === 'dry-run') return
  deps.observer.compaction({
    kind: 'session',
    reason: pass.request.reason,
    result: compacted ? 'compacted' : reason,
    prunedTokens: pass.pruned.tokensSaved,
    ...(compacted
      ? {
          tokensBefore: progress.tokensBefore,
          tokensAfter: progress.tokensAfter,
          splitTurn: plan?.isSplitTurn === true,
        }
      : {}),
  })
}
