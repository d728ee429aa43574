import { planFileLists } from '../../domain/compaction/file-lists.ts'
import type { CompactionPlan } from '../../domain/compaction/plan.ts'
import { planFrom } from '../../domain/compaction/plan-from.ts'
import type { HookResults } from '../../hooks/hook-results.ts'
import type { HookEvents } from '../../hooks/hooks.ts'
import { NO_USAGE } from '../../models/model.ts'
import type { CompactSessionResult } from '../compact-schema.ts'
import type { PipelineDeps } from '../pipeline-context.ts'
import { noPass, type Pass, planOf } from './pass.ts'
import { compactedResult } from './result.ts'

/** What the hook decided, or null and why it was ignored. */
export interface HookDecision {
  readonly result: CompactSessionResult | null
  readonly warnings: readonly string[]
}

/** `session_before_compact`: may cancel, or bring a whole compaction, which is stored as it is. */
export async function compactByHook(
  pass: Pass,
  plan: CompactionPlan,
  deps: PipelineDeps,
  signal: AbortSignal,
): Promise<HookDecision> {
  const name = 'session_before_compact'
  if (!deps.hooks.has(name)) return { result: null, warnings: [] }
  const ids = new Set(pass.live.path.map(({ id }) => id))
  const refuse = ({ compaction }: HookResults[typeof name]) =>
    compaction == null || ids.has(compaction.firstKeptEntryId)
      ? null
      : 'compaction.firstKeptEntryId: expected the id of an entry on the path'
  const { result, warnings } = await deps.hooks.run(name, beforeCompactEvent(pass, plan), signal, refuse)
  const told = { ...pass, warnings: [...pass.warnings, ...warnings] }
  if (result?.cancel === true)
    return { result: noPass(told, 'cancelled-by-hook', { plan: planOf(told, plan.report) }), warnings }
  if (result?.compaction == null) return { result: null, warnings }
  return { result: await compactionOf(result.compaction, told, plan, deps, signal), warnings }
}

function beforeCompactEvent(pass: Pass, plan: CompactionPlan): HookEvents['session_before_compact'] {
  const { settings, contextTokens, request, live } = pass
  const { enabled, reserveTokens } = settings
  return {
    preparation: {
      firstKeptEntryId: plan.report.firstKeptEntryId,
      messagesToSummarize: plan.historyMessages,
      turnPrefixMessages: plan.prefixMessages,
      recentMessages: plan.keptMessages,
      isSplitTurn: plan.report.isSplitTurn,
      tokensBefore: contextTokens,
      ...(plan.previousSummary === undefined ? {} : { previousSummary: plan.previousSummary }),
      ...(plan.previousPreserveData === undefined ? {} : { previousPreserveData: plan.previousPreserveData }),
      fileOps: planFileLists(plan),
      settings: { enabled, reserveTokens, keepRecentTokens: plan.report.keepRecentTokens },
    },
    branchEntries: live.path,
    ...(request.customInstructions === undefined ? {} : { customInstructions: request.customInstructions }),
  }
}

/** No tags, no audit, no pinned texts: what a hook writes is its own (session-compaction §12). */
function compactionOf(
  compaction: NonNullable<HookResults['session_before_compact']['compaction']>,
  pass: Pass,
  plan: CompactionPlan,
  deps: PipelineDeps,
  signal: AbortSignal,
): Promise<CompactSessionResult> | CompactSessionResult {
  const { firstKeptEntryId, summary, shortSummary, tokensBefore, details, preserveData } = compaction
  const report = planFrom(pass.live, plan.report, { firstKeptEntryId, dropEntryId: pass.dropEntryId })
  if (pass.request.dryRun) return noPass(pass, 'dry-run', { plan: planOf(pass, report), prompts: [] })
  const made = {
    summary,
    shortSummary: shortSummary ?? undefined,
    firstKeptEntryId,
    tokensBefore,
    details,
    preserveData: { ...plan.previousPreserveData, ...pass.request.preserveData, ...preserveData },
    fromExtension: true,
    method: 'hook',
    fallbackUsed: false,
    result: { calls: [], usage: NO_USAGE, degraded: false, warnings: pass.warnings },
  } as const
  return compactedResult(pass, { ...plan, report }, made, deps, signal)
}
