import { defined } from '../../domain/defined.ts'
import type { HookOutcome } from '../../hooks/hooks.ts'
import type { Step } from '../pipeline-context.ts'
import type { BranchSummaryResult } from './branch-schema.ts'
import type { BranchPass } from './pass.ts'

/** `session_before_tree`: may cancel the navigation or bring the summary of the branch. */
export async function beforeTree(
  { pass: { request, abandoned }, deps }: Step<BranchPass>,
  signal: AbortSignal,
): Promise<HookOutcome<'session_before_tree'>> {
  const name = 'session_before_tree'
  if (!deps.hooks.has(name)) return { warnings: [] }
  const preparation = {
    targetId: request.targetId,
    oldLeafId: request.oldLeafId,
    commonAncestorId: abandoned.commonAncestorId,
    entriesToSummarize: abandoned.entries,
    userWantsSummary: request.summarize,
  }
  return deps.hooks.run({ name, event: { preparation } }, signal)
}

/** `session_tree`: shows hooks where the agent stands before it is answered; returns warnings. */
export async function notifyTree(
  { newLeafId, entry }: BranchSummaryResult,
  { pass: { request }, deps }: Step<BranchPass>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!deps.hooks.has('session_tree')) return []
  const fromExtension = entry === null ? undefined : entry.fromExtension === true
  const { oldLeafId } = request
  const event = defined({ newLeafId, oldLeafId, summaryEntry: entry ?? undefined, fromExtension })
  const { warnings } = await deps.hooks.run({ name: 'session_tree', event }, signal)
  return warnings
}
