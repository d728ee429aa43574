import { isRecord } from '../is-record.ts'
import type { ChatMessage } from '../tokens/chat-tokens.ts'

/**
 * One row of the list the compressor works on: a chat-shaped view of a caller's message, or of a part of it. A row that
 * was not rewritten (`message === original`) goes back as exactly what came in.
 */
export interface Row<Source = unknown> {
  /** Position of the caller's message this row came from. */
  readonly index: number
  /** How many of the caller's messages it holds, when more than one (Responses items of one answer). */
  readonly span?: number | undefined
  /** Role of the chat dialect; content is a text or a list of `RowPart`; calls have the chat shape. */
  readonly message: ChatMessage
  /** The view as the reader made it; another object than `message` once a step has rewritten the row. */
  readonly original: ChatMessage
  /** What the dialect needs to write the row back; only its own codec looks inside. */
  readonly source?: Source | undefined
  /** Calls that were taken off because nobody answered them; told to the summarizer all the same (docs/bug-log.md B020). */
  readonly lost?: readonly CallView[] | undefined
  /** Cannot be read, so cannot be summarized (an encrypted compaction item): kept wherever it stands. */
  readonly carried?: boolean | undefined
  /** Belongs to the row before it: no cut may fall between them (a result of a provider-run call in a later row). */
  readonly isBound?: boolean | undefined
  /** The dialect has no other form for its content: no step may rewrite it. */
  readonly isFixed?: boolean | undefined
}

/** A tool call of an assistant message, read leniently. `at` is its place in `tool_calls`. */
export interface CallView {
  readonly id: string
  readonly name: string
  /** JSON text where the caller sent text or an object, '' where there is none. */
  readonly args: string
  readonly at: number
}

/** The row with fields replaced. A copy loses store markers and any exact-bytes copy of the old text (#57491, docs/spec/lists.md §7). */
export function rewrite<Source>(row: Row<Source>, fields: Partial<ChatMessage>): Row<Source> {
  const message: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row.message)) {
    if (!key.startsWith('_') && key !== 'api_content') message[key] = value
  }
  return { ...row, message: { ...message, ...fields } }
}

export function roleOf(message: ChatMessage): string {
  return typeof message.role === 'string' ? message.role : ''
}

/** System and developer rows are instructions: they are neither turns nor answers. */
export function isInstruction(row: Row): boolean {
  const role = roleOf(row.message)
  return role === 'system' || role === 'developer'
}

/** A row that answers a call. */
export function isResult(row: Row): boolean {
  const role = roleOf(row.message)
  return role === 'tool' || role === 'function'
}

/** A row that must never open a kept stretch: it belongs to what stands before it. */
export function isBoundAt(rows: readonly Row[], at: number): boolean {
  const row = rows[at]
  return row !== undefined && (isResult(row) || row.isBound === true)
}

export function hasCalls(row: Row): boolean {
  const { message } = row
  if (roleOf(message) !== 'assistant') return false
  return (Array.isArray(message.tool_calls) && message.tool_calls.length > 0) || isRecord(message['function_call'])
}

/** Calls of a message; entries that are not objects are left out. */
export function callsOf(message: ChatMessage): CallView[] {
  if (!Array.isArray(message.tool_calls)) return []
  return message.tool_calls.flatMap((call: unknown, at) => {
    if (!isRecord(call)) return []
    const inner = isRecord(call['function']) ? call['function'] : call
    const name = typeof inner['name'] === 'string' && inner['name'] !== '' ? inner['name'] : 'unknown'
    return [{ id: callId(call), name, args: jsonText(inner['arguments']), at }]
  })
}

/** Ids are compared trimmed and given back as they came (#9999, docs/bug-log.md B006). `call_id` wins over `id`. */
function callId(call: Readonly<Record<string, unknown>>): string {
  return idText(call['call_id']) || idText(call['id'])
}

/** Id of the call a tool row answers, trimmed. SWE-agent writes a list of one. */
export function resultId(message: ChatMessage): string {
  const list = message['tool_call_ids']
  return idText(message.tool_call_id) || (Array.isArray(list) ? idText(list[0]) : '')
}

/** Text of a content: a string, or its text parts joined by newlines; anything else is ''. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((part: unknown) => partText(part) ?? []).join('\n')
}

/** Text of one text part, or null for any other. */
export function partText(part: unknown): string | null {
  if (typeof part === 'string') return part
  return isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : null
}

/** Content that is text and nothing else, as one string; null where there is an image or any unknown part. */
export function pureText(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content) || content.length === 0) return null
  const texts = content.map(partText)
  return texts.every((text) => text !== null) ? texts.join('\n') : null
}

/** Nothing in it that anybody could read or see: thinking and marks are nothing, media and unknown parts are something. */
export function isBlank(content: unknown): boolean {
  if (content === null || content === undefined) return true
  if (typeof content === 'string') return content.trim() === ''
  if (!Array.isArray(content)) return false
  return content.every((part: unknown) => {
    if (part === null || (isRecord(part) && (part['type'] === 'thinking' || part['type'] === 'note'))) return true
    return partText(part)?.trim() === ''
  })
}

/** JSON of a value; '' for nothing, and for nesting the engine cannot write. */
export function jsonText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

function idText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}
