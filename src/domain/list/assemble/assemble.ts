import { isBlank, jsonText, partText, type Row, rewrite, roleOf } from '../../dialects/row.ts'
import { isRecord } from '../../is-record.ts'
import { isActionableUser } from '../user-row.ts'
import { HANDOFF, handoffText } from './handoff.ts'

/** Added once to the system prompt, so that a model knows what the summary is. */
const COMPACTION_NOTE =
  'Note: older turns of this conversation were compacted. A message with a background summary stands in for them; your instructions are unchanged.'

export interface AssembleOptions {
  readonly head: readonly Row[]
  readonly tail: readonly Row[]
  readonly summary: string
  /** The format makes one message of adjacent user rows, so a user's words in the head would run into the summary. */
  readonly mergesAdjacent: boolean
}

/**
 * Head, summary, tail (docs/spec/lists.md §14 with the choices of docs/spec/compaction.md §12): the summary is always a user's row; it
 * goes in front of the first tail row when that is a user's, and never into the head.
 */
export function assembleRows({ head, tail, summary, mergesAdjacent }: AssembleOptions): Row[] {
  const handoff = handoffText(summary)
  const opened = noteOnSystem(mergesAdjacent ? frameLastUser(head) : head)
  const [first, ...rest] = tail
  if (first !== undefined && roleOf(first.message) === 'user') {
    return [...opened, rewrite(first, { content: prepend(handoff, first.message.content) }), ...rest]
  }
  const message = { role: 'user', content: handoff }
  return [...opened, { index: first?.index ?? -1, message, original: message }, ...tail]
}

/** True when no real user speaks after the summary: nobody is waiting for an answer (#80622). */
export function hasNoLiveUser(tail: readonly Row[]): boolean {
  return !tail.some(isActionableUser)
}

/** Blank user rows between the newest request and its answer are echoes of a client; providers refuse them. */
export function dropBlankEchoes(tail: readonly Row[]): { rows: readonly Row[]; dropped: readonly Row[] } {
  const ask = tail.findLastIndex(isActionableUser)
  let end = ask + 1
  while (end < tail.length && isBlankUser(tail[end])) end += 1
  const answer = tail[end]
  const isAnswered = answer !== undefined && roleOf(answer.message) === 'assistant'
  if (ask < 0 || end === ask + 1 || !isAnswered) return { rows: tail, dropped: [] }
  return { rows: [...tail.slice(0, ask + 1), ...tail.slice(end)], dropped: tail.slice(ask + 1, end) }
}

function isBlankUser(row: Row | undefined): boolean {
  return row !== undefined && roleOf(row.message) === 'user' && isBlank(row.message.content)
}

function prepend(text: string, content: unknown): unknown {
  if (content === null || content === undefined) return text
  if (Array.isArray(content)) return [{ type: 'text', text }, ...content]
  return `${text}\n\n${typeof content === 'string' ? content : jsonText(content)}`
}

/** A user's own words that come to stand before a summary in one message are marked as what they are. */
function frameLastUser(head: readonly Row[]): readonly Row[] {
  const last = head.at(-1)
  if (last === undefined || roleOf(last.message) !== 'user' || isBlank(last.message.content)) return head
  const { content } = last.message
  const own: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: jsonText(content) }]
  const framed = [{ type: 'text', text: HANDOFF.header }, ...own, { type: 'text', text: HANDOFF.delimiter }]
  return [...head.slice(0, -1), rewrite(last, { content: framed })]
}

function noteOnSystem(head: readonly Row[]): readonly Row[] {
  const [first, ...rest] = head
  if (first === undefined || roleOf(first.message) !== 'system') return head
  const { content } = first.message
  if (Array.isArray(content)) {
    const known = content.some((part: unknown) => partText(part)?.includes(COMPACTION_NOTE))
    const like = content.findLast((part: unknown) => isRecord(part) && typeof part['text'] === 'string')
    const type = isRecord(like) ? like['type'] : 'text'
    return known ? head : [rewrite(first, { content: [...content, { type, text: COMPACTION_NOTE }] }), ...rest]
  }
  const text = jsonText(content)
  if (text.includes(COMPACTION_NOTE)) return head
  return [rewrite(first, { content: text === '' ? COMPACTION_NOTE : `${text}\n\n${COMPACTION_NOTE}` }), ...rest]
}
