import type { Dialect } from '../../src/domain/dialects/codec.ts'

/** The dialects whose invariants are told here; the others have theirs in dialect-rules.ts. */
export type ChatFormat = Extract<Dialect, 'openai' | 'anthropic' | 'responses'>

type Message = Record<string, unknown>
type Block = Record<string, unknown>

export const END_LINE = /^--- END OF CONTEXT SUMMARY/gm

/** All text of a message or item, in any of the three formats; told apart from the code under test on purpose. */
export function flatText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(flatText).join('\n')
  if (typeof value !== 'object' || value === null) return ''
  const { text, content, output } = value as Message
  return [text, content, output]
    .filter((part) => part !== undefined)
    .map(flatText)
    .join('\n')
}

function blocks(message: Message, type: string): Block[] {
  return Array.isArray(message['content']) ? message['content'].filter((part: Block) => part?.['type'] === type) : []
}

const CALLED: Record<ChatFormat, (message: Message) => string[]> = {
  openai: (message) =>
    message['role'] === 'assistant' && Array.isArray(message['tool_calls'])
      ? message['tool_calls']
          .filter((call) => typeof call === 'object' && call !== null)
          .map((call) => trimmed(call.call_id ?? call.id))
      : [],
  anthropic: (message) =>
    message['role'] === 'assistant' ? blocks(message, 'tool_use').map((block) => trimmed(block['id'])) : [],
  responses: (item) =>
    /^(function|custom_tool|local_shell)_call$/.test(String(item['type'])) ? [trimmed(item['call_id'])] : [],
}
const ANSWERED: Record<ChatFormat, (message: Message) => string[]> = {
  openai: (message) =>
    message['role'] === 'tool'
      ? [trimmed(message['tool_call_id'] ?? (message['tool_call_ids'] as unknown[] | undefined)?.[0])]
      : [],
  anthropic: (message) => blocks(message, 'tool_result').map((block) => trimmed(block['tool_use_id'])),
  responses: (item) => (/_output$/.test(String(item['type'])) ? [trimmed(item['call_id'])] : []),
}

/** I1: complaint about the first broken pair, or null. */
export function brokenPair(messages: readonly unknown[], format: ChatFormat): string | null {
  const open: string[] = []
  for (const message of messages as Message[]) {
    const answered = ANSWERED[format](message)
    if (answered.length === 0 && open.length > 0 && format !== 'responses')
      return `no result right behind: ${open.join()}`
    for (const id of answered) {
      const at = open.indexOf(id)
      if (at < 0) return `result without call: "${id}"`
      open.splice(at, 1)
    }
    open.push(...CALLED[format](message))
  }
  return open.length > 0 ? `call without result: ${open.join()}` : null
}

/** Complaints about I1, I2, I4, I5, I6, I7 of a compacted list; empty when all hold. */
export function brokenInvariants(messages: readonly unknown[], format: ChatFormat): string[] {
  const list = messages as Message[]
  const faults: string[] = []
  const pair = brokenPair(list, format)
  if (pair !== null) faults.push(`I1 ${pair}`)
  const spoken = list.filter(
    (message) => !['system', 'developer'].includes(String(message['role'])) && message['type'] !== 'compaction',
  )
  if (spoken[0]?.['role'] !== 'user') faults.push(`I2 first is ${String(spoken[0]?.['role'])}`)
  const ends = list.map(flatText).join('\n').match(END_LINE)?.length ?? 0
  if (ends !== 1) faults.push(`I4 ${ends} end markers`)
  if (list.some((message) => Object.keys(message).some((key) => key.startsWith('_')))) faults.push('I5 underscore key')
  const anchor = list.findLastIndex((message) => message['role'] === 'user' && bytes(message) && !onlyResults(message))
  if (list.slice(0, Math.max(0, anchor)).some((message) => bytes(message) && isUser(message)))
    faults.push('I6 image bytes before the newest image turn')
  if (!list.some((message) => message['role'] === 'user')) faults.push('I7 no user')
  return faults
}

function onlyResults(message: Message): boolean {
  return (
    Array.isArray(message['content']) && message['content'].every((part: Block) => part?.['type'] === 'tool_result')
  )
}

function isUser(message: Message): boolean {
  return message['role'] === 'user' && !blocks(message, 'tool_result').length
}

function bytes(message: Message): boolean {
  return JSON.stringify(message).includes('base64,QUJD')
}

function trimmed(id: unknown): string {
  return typeof id === 'string' ? id.trim() : ''
}

/** Freezes a value in depth, so that any write to it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const item of Object.values(value)) deepFreeze(item)
  }
  return value
}
