import { isRecord } from '../is-record.ts'
import type { AgentMessage } from './message.ts'

/** One part of a message's content. Fields beside the type are read with `stringOf`. */
export interface ContentPart {
  readonly type: string
  readonly [key: string]: unknown
}

/** A tool call of an assistant message. `arguments` is an object in every agent seen; odd values are kept as they are. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** The value when it is a string, else the empty one. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isPart(value: unknown): value is ContentPart {
  return isRecord(value) && typeof value['type'] === 'string'
}

/** Parts of a content; a string is one text part, anything that is not a part is left out. */
export function partsOf(content: unknown): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  // Nearly every content holds parts alone: then it need not be copied.
  return content.every(isPart) ? content : content.filter(isPart)
}

/** Text parts joined without anything between them (docs/spec/sessions.md §8). */
export function joinedText(content: unknown): string {
  if (typeof content === 'string') return content
  return partsOf(content)
    .map((part) => (part.type === 'text' ? stringOf(part['text']) : ''))
    .join('')
}

/** Tool calls of a message, in order. Ids are compared trimmed, since some gateways pad them (docs/bug-log.md B021). */
export function toolCallsOf(message: AgentMessage): readonly ToolCall[] {
  if (message.role !== 'assistant' || !Array.isArray(message.content)) return []
  const calls: ToolCall[] = []
  for (const part of message.content) {
    if (!isPart(part) || part.type !== 'toolCall') continue
    calls.push({ id: stringOf(part['id']).trim(), name: stringOf(part['name']), arguments: part['arguments'] })
  }
  return calls
}

/** Id of the call that a tool result answers, trimmed like the calls' own. */
export function answeredCallOf(message: AgentMessage): string {
  return stringOf(message.toolCallId).trim()
}
