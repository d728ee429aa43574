import { type FileLists, fileLists } from '../conversation/file-lists.ts'
import { messagesOf } from '../session/build-context.ts'
import { type Entry, isOwnSummary } from '../session/entry.ts'
import type { AgentMessage } from '../session/message.ts'
import { messagesToConversation } from '../session/messages-to-conversation.ts'
import type { CompactionPlan } from './plan.ts'

/** `details` of a compaction: what history and turn prefix did, on top of the previous compaction (docs/spec/compaction.md §8). */
export function planFileLists(plan: CompactionPlan): FileLists {
  const messages = [...plan.historyMessages, ...plan.prefixMessages]
  return fileLists(conversationOf(messages), [plan.previousDetails])
}

/**
 * `details` of a branch summary: ALL abandoned entries, also those the budget leaves out, and the nested summaries of ours.
 * Compactions are not asked: their lists reach back before the fork.
 */
export function branchFileLists(entries: readonly Entry[]): FileLists {
  const nested = entries.filter((entry) => entry.type === 'branch_summary' && isOwnSummary(entry))
  return fileLists(
    conversationOf(messagesOf(entries)),
    nested.map((entry) => entry.details),
  )
}

/** Only calls are looked at: how summaries are worded does not matter. */
const conversationOf = (messages: readonly AgentMessage[]) =>
  messagesToConversation(messages, { compactionSummary: (text) => text, branchSummary: (text) => text })
