import type { Conversation } from '../../conversation/conversation.ts'
import { isRecord } from '../../is-record.ts'
import { asksForSummary } from '../../text/structure/summary-request.ts'
import { contentText } from '../content-text.ts'
import { partText, type Row, rewrite, roleOf } from '../row.ts'
import { rowsToConversation } from '../rows-to-conversation.ts'

/** A chat history in which somebody else spoke than one user (docs/spec/reading.md §5). */
export interface History {
  readonly conversation: Conversation
  /** What the agent's own system rows at the front say; '' for none. */
  readonly system: string
  /** The last thing the user said where it asks for the summary: it is done, never told. Else null. */
  readonly instruction: string | null
}

const MOST_BEFORE_REQUEST = 1_500
const isSystem = (row: Row): boolean => ['system', 'developer'].includes(roleOf(row.message))

/**
 * The rows of a list of any dialect as a conversation; null where nobody but one user says anything: that is a prompt, or
 * nothing. `system`: system text that the wire keeps beside its rows.
 */
export function readHistory(rows: readonly Row[], system = ''): History | null {
  const spoken = rows.filter((row) => !isSystem(row))
  if (spoken.length < 2) return null
  const start = rows.findIndex((row) => !isSystem(row))
  const { said, instruction } = withoutRequest(rows.slice(start))
  const conversation = rowsToConversation(said)
  if (conversation.turns.length === 0) return null
  return {
    conversation,
    system: [
      ...(system === '' ? [] : [system]),
      ...rows.slice(0, start).map(({ message }) => contentText(message.content)),
    ].join('\n\n'),
    instruction,
  }
}

/** Agents put the request after the user's pending one: a row of its own, or a last part of the same row. */
function withoutRequest(rows: readonly Row[]): { readonly said: readonly Row[]; readonly instruction: string | null } {
  const at = rows.findLastIndex((row) => !isSystem(row))
  const row = rows[at]
  const found = row === undefined || roleOf(row.message) !== 'user' ? null : lastText(row.message.content)
  if (row === undefined || found === null || !asksForSummary(found.text.slice(0, MOST_BEFORE_REQUEST)))
    return { said: rows, instruction: null }
  const rest = found.rest.length === 0 ? [] : [rewrite(row, { content: [...found.rest] })]
  return { said: [...rows.slice(0, at), ...rest, ...rows.slice(at + 1)], instruction: found.text.trim() }
}

function lastText(content: unknown): { readonly text: string; readonly rest: readonly unknown[] } | null {
  if (typeof content === 'string') return { text: content, rest: [] }
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const last = parts.at(-1)
  const text = isRecord(last) ? partText(last) : null
  return text === null ? null : { text, rest: parts.slice(0, -1) }
}
