import { NO_USAGE } from '../../models/model.ts'
import type { CallContext, Emit, PipelineDeps } from '../pipeline-context.ts'
import { beforeTree, notifyTree } from './hooks.ts'
import { type BranchPass, noSummary, openBranchPass } from './pass.ts'
import type { BranchSummaryRequest, BranchSummaryResult } from './schema.ts'
import { summarizeBranch, summarized } from './summarize.ts'

/** POST /branch-summary: where the agent stands after it left a branch, and what it takes along. */
export async function branchSummary(
  request: BranchSummaryRequest,
  context: CallContext,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit?: Emit,
): Promise<BranchSummaryResult> {
  const pass = openBranchPass(request, context, deps)
  // Going where one stands already is no navigation: hooks hear nothing of it (omp-spec §13).
  const result = pass.isMove
    ? await navigate(pass, deps, signal, emit)
    : noSummary(pass, request.summarize ? 'nothing-to-summarize' : 'not-asked')
  count(pass, result, deps)
  return result
}

async function navigate(
  pass: BranchPass,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
): Promise<BranchSummaryResult> {
  const { result: decided, warnings } = await beforeTree(pass, deps, signal)
  const told = { ...pass, warnings: [...pass.warnings, ...warnings] }
  if (decided?.cancel === true) return cancelled(told)
  const result = await summary(told, decided?.summary ?? undefined, deps, signal, emit)
  if (pass.request.dryRun) return result
  return { ...result, warnings: [...result.warnings, ...(await notifyTree(result, pass, deps, signal))] }
}

/** A hook's own summary is stored as it is, where one was asked for and there is something it can be about. */
function summary(
  pass: BranchPass,
  own: { readonly summary: string; readonly details?: unknown } | undefined,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
): Promise<BranchSummaryResult> | BranchSummaryResult {
  const { summarize, dryRun } = pass.request
  if (!summarize) return noSummary(pass, 'not-asked')
  if (own === undefined || pass.abandoned.entries.length === 0) return summarizeBranch(pass, deps, signal, emit)
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
    ...(summarized ? { tokensBefore: selection.totalTokens } : {}),
  })
}
