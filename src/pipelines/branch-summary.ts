import { noSummary, openBranchPass } from './branch-pass.ts'
import type { BranchSummaryRequest, BranchSummaryResult } from './branch-summary-schema.ts'
import type { CallContext, Emit, PipelineDeps } from './pipeline-context.ts'
import { summariseBranch } from './summarise-branch.ts'

/** POST /branch-summary: where the agent stands after it left a branch, and what it takes along. */
export async function branchSummary(
  request: BranchSummaryRequest,
  context: CallContext,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit?: Emit,
): Promise<BranchSummaryResult> {
  const pass = openBranchPass(request, context, deps)
  const result = request.summarize ? await summariseBranch(pass, deps, signal, emit) : noSummary(pass, 'not-asked')
  const { summarized, reason = 'summarized' } = result
  if (reason !== 'dry-run')
    deps.observer.compaction({
      kind: 'branch',
      reason: 'navigation',
      result: reason,
      ...(summarized ? { tokensBefore: pass.selection.totalTokens } : {}),
    })
  return result
}
