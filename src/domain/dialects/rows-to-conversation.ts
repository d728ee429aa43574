import { callOf } from '../conversation/call.ts'
import type { Conversation, Media, Part } from '../conversation/conversation.ts'
import { ConversationBuilder } from '../conversation/conversation-builder.ts'
import { isRecord } from '../is-record.ts'
import { stripThinking } from '../summary/strip-thinking.ts'
import type { ChatMessage } from '../tokens/chat-tokens.ts'
import { contentText } from './content-text.ts'
import { EMPTY_ANSWER } from './pairs.ts'
import { type CallView, callsOf, isBlank, jsonText, type Row, resultId, roleOf } from './row.ts'
import { isRowPart, type MediaPart, type RowPart } from './row-part.ts'

/** Rows of a list as the one conversation value; `rows` of a turn are positions in the caller's messages. */
export function rowsToConversation(rows: readonly Row[]): Conversation {
  const builder = new ConversationBuilder({ unanswered: 'interrupted' })
  for (const row of rows) addRow(builder, row)
  return builder.build()
}

function addRow(builder: ConversationBuilder, row: Row): void {
  const { message, index } = row
  const at = [index]
  const role = roleOf(message)
  if (role === 'user') builder.user(at, textsOf(message.content), seenIn(message.content))
  else if (role === 'assistant') addAnswer(builder, row)
  else if (role === 'tool' || role === 'function')
    builder.result(at, {
      callId: resultId(message),
      name: typeof message['name'] === 'string' ? message['name'] : undefined,
      text: contentText(message.content),
      isError: message['is_error'] === true,
      media: partsOf(message.content).flatMap((part) => (part.type === 'media' ? [mediaOf(part)] : [])),
    })
  else {
    const text = contentText(message.content)
    const isPlain = role === '' || role === 'system' || role === 'developer'
    builder.machine(at, isPlain || text === '' ? text : `${role.toUpperCase()}: ${text}`)
  }
}

/** What the provider ran by itself is a call and its result, in the place where it stood. */
function addAnswer(builder: ConversationBuilder, row: Row): void {
  const at = [row.index]
  const { content } = row.message
  let parts: Part[] = []
  const said = isBlank(content) ? fieldText(row.message) : content
  const parted = typeof said === 'string' ? [{ type: 'text', text: said } as const] : partsOf(said)
  for (const part of parted) {
    if (part.type === 'ran-result') {
      builder.assistant(at, parts)
      parts = []
      builder.result(at, { callId: part.id, text: part.text, isError: part.isError })
    } else parts.push(...answerPart(part))
  }
  const calls = [...callsOf(row.message), ...legacyCall(row.message), ...(row.lost ?? [])]
  for (const { id, name, args } of calls) parts.push(callOf({ id, name, arguments: args }))
  builder.assistant(at, parts)
}

/** An answer of chat completions that stands beside the content: a refusal, or what was spoken. */
function fieldText({ refusal, audio }: ChatMessage): string {
  if (typeof refusal === 'string') return refusal
  return isRecord(audio) && typeof audio['transcript'] === 'string' ? audio['transcript'] : ''
}

/** The one call of the old `function_call` field; the `function` row after it answers by name. */
function legacyCall({ function_call: call }: ChatMessage): CallView[] {
  if (!isRecord(call) || typeof call['name'] !== 'string') return []
  return [{ id: '', name: call['name'], args: jsonText(call['arguments']), at: 0 }]
}

function answerPart(part: RowPart): Part[] {
  switch (part.type) {
    case 'text': {
      const said = part.text === EMPTY_ANSWER ? '' : stripThinking(part.text)
      return said.trim() === '' ? [] : [{ kind: 'words', text: said }]
    }
    case 'ran-call':
      return [callOf({ id: part.id, name: part.name, arguments: part.args })]
    default:
      return seenPart(part)
  }
}

function seenPart(part: RowPart): Part[] {
  switch (part.type) {
    case 'media':
      return [mediaOf(part)]
    case 'opaque':
      return [{ kind: 'opaque', type: part.name, text: part.text }]
    case 'summary':
      return [{ kind: 'summary', text: part.text }]
    case 'thinking':
      return part.text === '' ? [] : [{ kind: 'thinking', text: part.text }]
    default:
      return []
  }
}

/** A string, or the text of each text part: what agents put into a user's row stands in parts of its own. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return isRecord(content) ? [jsonText(content)] : []
  return partsOf(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** What can be seen in a user's row beside its words. */
export const seenIn = (content: unknown): Part[] => partsOf(content).flatMap(seenPart)

function partsOf(content: unknown): RowPart[] {
  return Array.isArray(content) ? content.filter(isRowPart) : []
}

function mediaOf({ media, name }: MediaPart): Media {
  return { kind: 'media', media, name }
}
