import { RecapdError } from '../errors.ts'
import { entryMessage, summaryMessage } from '../session/build-context.ts'
import { joinedText } from '../session/content.ts'
import type { Entry } from '../session/entry.ts'
import type { AgentMessage } from '../session/message.ts'
import { commonAncestor, pathOf, pathTo } from '../session/path.ts'
import type { Session } from '../session/session.ts'
import { messageTokens } from '../session/session-tokens.ts'
import { errorLine } from './first-error-line.ts'

/** What a navigation leaves behind (docs/spec/compaction.md §9). */
export interface AbandonedBranch {
  readonly commonAncestorId: string | null
  /** Chronological, not stopped by compactions. */
  readonly entries: readonly Entry[]
}

export interface BranchSelection {
  readonly includedEntryIds: readonly string[]
  readonly messages: readonly AgentMessage[]
  readonly totalTokens: number
}

/** Where the agent stands after the navigation. */
export interface Placement {
  /** The position: parent of a summary entry and leaf without one; null is the root. */
  readonly positionId: string | null
  readonly fromId: string
  /** Text that goes back into the editor when a user or custom message is the target. */
  readonly editorText: string | null
}

/** A summary at the stop is still taken while less of the budget than this is used (docs/spec/sessions.md §13). */
const SUMMARY_SHARE = 0.9

function targetOf(session: Session, targetId: string): Entry {
  const target = session.byId.get(targetId)
  if (target !== undefined) return target
  if (session.entries.length === 0) pathTo(session)
  throw new RecapdError('unknown-target', 'No entry has the id that targetId names; send the id of an entry')
}

/**
 * Entries from the common ancestor down to the old leaf. Throws `no-entries`, `unknown-target`, `unknown-leaf`, `broken-tree`.
 */
export function collectAbandoned(session: Session, oldLeafId: string | null, targetId: string): AbandonedBranch {
  const targetPath = pathOf(session, targetOf(session, targetId))
  if (oldLeafId === null) return { commonAncestorId: null, entries: [] }
  const oldPath = pathTo(session, oldLeafId)
  const ancestor = commonAncestor(oldPath, targetPath)
  const from = ancestor === null ? 0 : oldPath.indexOf(ancestor) + 1
  return { commonAncestorId: ancestor?.id ?? null, entries: oldPath.slice(from) }
}

/** The message of an abandoned entry; of a tool result only the first line of its error. */
function abandonedMessage(entry: Entry): AgentMessage | null {
  if (entry.type === 'compaction') return entry.summary ? summaryMessage(entry) : null
  const message = entryMessage(entry)
  if (message?.role === 'toolResult') return errorLine(message)
  return message?.excludeFromContext === true ? null : message
}

/**
 * Newest messages first until the budget (tokens) is used up. The newest one is taken whatever its size: the models fold it,
 * and a summary of nothing would lose the branch.
 */
export function selectWithinBudget(entries: readonly Entry[], tokenBudget: number): BranchSelection {
  const included: { id: string; message: AgentMessage }[] = []
  let totalTokens = 0
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index]
    const message = entry === undefined ? null : abandonedMessage(entry)
    if (entry === undefined || message === null) continue
    const tokens = messageTokens(message)
    const isOver = totalTokens + tokens > tokenBudget
    const isSummary = entry.type === 'compaction' || entry.type === 'branch_summary'
    if (isOver && included.length > 0 && !(isSummary && totalTokens < SUMMARY_SHARE * tokenBudget)) break
    included.push({ id: entry.id, message })
    totalTokens += tokens
    if (isOver) break
  }
  included.reverse()
  return {
    includedEntryIds: included.map(({ id }) => id),
    messages: included.map(({ message }) => message),
    totalTokens,
  }
}

/** Position after a navigation: a message that can be typed again moves the leaf to its parent, anything else is the leaf. */
export function placementOf(session: Session, targetId: string): Placement {
  const target = targetOf(session, targetId)
  const isTyped = target.type === 'custom_message' || (target.type === 'message' && target.message?.role === 'user')
  const positionId = isTyped ? target.parentId : target.id
  const content = target.type === 'custom_message' ? target.content : target.message?.content
  return { positionId, fromId: positionId ?? 'root', editorText: isTyped ? joinedText(content) : null }
}
