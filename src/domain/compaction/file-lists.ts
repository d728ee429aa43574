import { type FileLists, fileLists, sessionToolUses } from '../conversation/file-operations.ts'
import { messagesOf } from '../session/context.ts'
import { type Entry, isOwnSummary } from '../session/entry.ts'
import type { CompactionPlan } from './plan.ts'

/** `details` of a compaction: what history and turn prefix did, on top of the previous compaction (session-compaction §8). */
export function planFileLists(plan: CompactionPlan): FileLists {
  const messages = [...plan.historyMessages, ...plan.prefixMessages]
  return fileLists(sessionToolUses(messages), [plan.previousDetails])
}

/**
 * `details` of a branch summary: ALL abandoned entries, also those the budget leaves out, and the nested summaries of ours.
 * Compactions are not asked: their lists reach back before the fork.
 */
export function branchFileLists(entries: readonly Entry[]): FileLists {
  const nested = entries.filter((entry) => entry.type === 'branch_summary' && isOwnSummary(entry))
  return fileLists(
    sessionToolUses(messagesOf(entries)),
    nested.map((entry) => entry.details),
  )
}
