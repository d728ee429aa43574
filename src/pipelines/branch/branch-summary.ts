import type { HookResults } from '../../hooks/hook-results.ts'
import { NO_USAGE } from '../../models/model.ts'
import type { PipelineCall, PipelineDeps, Step } from '../pipeline-context.ts'
import type { BranchSummaryRequest, BranchSummaryResult } from './branch-schema.ts'
import { beforeTree, notifyTree } from './hooks.ts'
import { type BranchPass, noSummary, openBranchPass } from './pass.ts'
import { summarizeBranch, summarized } from './summarize.ts'

/** POST /branch-summary: where the agent stands after it left a branch, and what it takes along. */
export async function branchSummary(
  call: PipelineCall<BranchSummaryRequest>,
  signal: AbortSignal,
): Promise<BranchSummaryResult> {
  const { deps, emit } = call
  const pass = openBranchPass(call)
  // Going to where the agent already stands is not a navigation, so no hook is called (docs/spec/sessions.md §13).
  const result = pass.isMove
    ? await navigate({ pass, deps, emit }, signal)
    : noSummary(pass, pass.request.summarize ? 'nothing-to-summarize' : 'not-asked')
  count(pass, result, deps)
  return result
}

async function navigate(step: Step<BranchPass>, signal: AbortSignal): Promise<BranchSummaryResult> {
  const { pass } = step
  const { result: decided, warnings } = await beforeTree(step, signal)
  const warned = { ...step, pass: { ...pass, warnings: [...pass.warnings, ...warnings] } }
  if (decided?.cancel === true) return cancelled(warned.pass)
  const result = await summary(warned, decided?.summary, signal)
  if (pass.request.dryRun) return result
  return { ...result, warnings: [...result.warnings, ...(await notifyTree(result, step, signal))] }
}

/** A hook's own summary is stored as it is, where one was asked for and there is something it can be about. */
function summary(
  step: Step<BranchPass>,
  own: HookResults['session_before_tree']['summary'],
  signal: AbortSignal,
): Promise<BranchSummaryResult> | BranchSummaryResult {
  const { pass, deps } = step
  const { summarize, dryRun } = pass.request
  if (!summarize) return noSummary(pass, 'not-asked')
  if (own == null || pass.abandoned.entries.length === 0) return summarizeBranch(step, signal)
  if (dryRun) return noSummary(pass, 'dry-run', { prompts: [] })
  const result = { method: 'hook', calls: [], usage: NO_USAGE, degraded: false, warnings: pass.warnings } as const
  return summarized(pass, { summary: own.summary, details: own.details, fromExtension: true, result }, deps)
}

const cancelled = (pass: BranchPass): BranchSummaryResult =>
  noSummary(pass, 'cancelled-by-hook', { cancelled: true, newLeafId: pass.request.oldLeafId, editorText: null })

function count({ selection }: BranchPass, { summarized, reason }: BranchSummaryResult, deps: PipelineDeps): void {
  if (reason === 'dry-run') return
  deps.observer.compaction({
    kind: 'branch',
    reason: 'navigation',
    result: reason ?? 'summarized',
    tokensBefore: summarized ? selection.totalTokens : undefined,
  })
}
