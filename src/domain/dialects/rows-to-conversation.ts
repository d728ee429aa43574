import { callOf } from '../conversation/call.ts'
import type { Conversation, Media, Opaque, Part } from '../conversation/conversation.ts'
import { ConversationBuilder } from '../conversation/conversation-builder.ts'
import { stripThinking } from '../summary/strip-thinking.ts'
import { isImagePart } from '../tokens/chat-tokens.ts'
import { EMPTY_ANSWER } from './pairs.ts'
import { callsOf, isObject, jsonText, partText, type Row, resultId, roleOf } from './row.ts'

const HIDDEN_THOUGHT: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning'])

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
  else if (role === 'assistant') builder.assistant(at, answerParts(row))
  else if (role === 'tool' || role === 'function')
    builder.result(at, {
      callId: resultId(message),
      name: typeof message['name'] === 'string' ? message['name'] : undefined,
      text: toldText(message.content),
      isError: message['is_error'] === true,
      media: mediaIn(message.content),
    })
  else {
    const text = toldText(message.content)
    builder.machine(at, role === 'system' || role === 'developer' ? text : `${role.toUpperCase()}: ${text}`)
  }
}

function answerParts(row: Row): Part[] {
  const text = toldText(row.message.content)
  const said = stripThinking(text === EMPTY_ANSWER ? '' : text)
  const calls = [...callsOf(row.message), ...(row.lost ?? [])]
  return [
    ...(said.trim() === '' ? [] : [{ kind: 'words', text: said } as const]),
    ...hiddenParts(row),
    ...calls.map(({ id, name, args }) => callOf({ id, name, arguments: args })),
  ]
}

/** What the provider did by itself (searches, server tools): named, and told where it has a text. */
function hiddenParts(row: Row): Part[] {
  const hidden = [row.message['reasoning_details'], row.message['codex_message_items']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  return hidden.flatMap((item): Part[] => {
    if (!isObject(item) || HIDDEN_THOUGHT.has(item['type']) || typeof item['type'] !== 'string') return []
    if (item['type'] === 'compaction')
      return typeof item['content'] === 'string' ? [{ kind: 'summary', text: item['content'] }] : []
    const detail = jsonText(item['input'] ?? item['action'])
    return [opaque(`${item['type']}${typeof item['name'] === 'string' ? ` ${item['name']}` : ''}`, detail)]
  })
}

const MOST_OPAQUE = 500

const opaque = (type: string, text: string): Opaque => ({ kind: 'opaque', type, text: text.slice(0, MOST_OPAQUE) })

/** A string, or the text of each text part: what agents put into a user's row stands in parts of its own. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return isObject(content) ? [jsonText(content)] : []
  return (content as unknown[]).flatMap((part) => (isImagePart(part) ? [] : (partText(part) ?? [])))
}

/** What can be seen in a user's row beside its words. */
export function seenIn(content: unknown): Part[] {
  if (!Array.isArray(content)) return []
  return (content as unknown[]).flatMap((part): Part[] => {
    if (isImagePart(part)) return [imageOf(part)]
    return partText(part) === null && isObject(part) ? [opaque(String(part['type'] ?? 'part'), '')] : []
  })
}

function mediaIn(content: unknown): Media[] {
  return Array.isArray(content) ? (content as unknown[]).filter(isImagePart).map(imageOf) : []
}

function imageOf(part: unknown): Media {
  const url = isObject(part) ? (isObject(part['image_url']) ? part['image_url']['url'] : part['image_url']) : undefined
  return { kind: 'media', media: 'image', name: typeof url === 'string' && /^https?:\/\//.test(url) ? url : '' }
}

/** Text parts joined by newlines, images and unknown parts by name (docs/bug-log.md B115). */
export function toldText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return isObject(content) ? jsonText(content) : ''
  return (content as unknown[]).map(partName).join('\n')
}

function partName(part: unknown): string {
  if (isImagePart(part)) {
    const { name } = imageOf(part)
    return name === '' ? '[image]' : `[image: ${name}]`
  }
  return partText(part) ?? (isObject(part) ? `[${String(part['type'] ?? 'part')}]` : jsonText(part))
}
