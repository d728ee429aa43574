import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import type { ListCodec } from '../codec.ts'
import { jsonText, type Row, roleOf } from '../row.ts'
import { type AnthropicSource, isContentBlock, isToolResult, isToolUse } from './blocks.ts'
import { writeAnthropic } from './write.ts'

/** Messages API: results become tool rows, tool_use blocks become calls, thinking and server blocks ride along unread. */
export const anthropicCodec: ListCodec = {
  mergesAdjacent: true,
  toRows: (messages) => messages.flatMap((value, index) => rowsOf(value as ChatMessage, index)),
  repair: (rows) => ({ rows, repaired: [] }),
  fromRows: writeAnthropic,
}

function rowsOf(message: ChatMessage, index: number): Row[] {
  const { content } = message
  if (Array.isArray(content) && roleOf(message) === 'assistant') return [assistantRow(message, content, index)]
  if (Array.isArray(content) && content.some(isToolResult)) return userRows(message, content, index)
  return [{ index, message, original: message, source: { message, part: 0, parts: 1 } satisfies AnthropicSource }]
}

function assistantRow(message: ChatMessage, content: readonly unknown[], index: number): Row {
  const uses = content.filter(isToolUse)
  const hidden = content.filter((block) => !isContentBlock(block) && !isToolUse(block))
  const original: ChatMessage = {
    role: 'assistant',
    content: content.filter(isContentBlock),
    ...(uses.length === 0 ? {} : { tool_calls: uses.map(chatCall) }),
    ...(hidden.length === 0 ? {} : { reasoning_details: hidden }),
  }
  return { index, message: original, original, source: { message, part: 0, parts: 1, uses } satisfies AnthropicSource }
}

function userRows(message: ChatMessage, content: readonly unknown[], index: number): Row[] {
  const results = content.filter(isToolResult)
  const rest = content.filter((block) => !isToolResult(block))
  const parts = results.length + (rest.length === 0 ? 0 : 1)
  const rows = results.map((result, part): Row => {
    const original: ChatMessage = {
      role: 'tool',
      tool_call_id: result['tool_use_id'],
      content: result['content'] ?? '',
      ...(result['is_error'] === true ? { is_error: true } : {}),
    }
    return { index, message: original, original, source: { message, part, parts, result } satisfies AnthropicSource }
  })
  if (rest.length === 0) return rows
  const original: ChatMessage = { ...message, content: rest }
  return [
    ...rows,
    { index, message: original, original, source: { message, part: parts - 1, parts } satisfies AnthropicSource },
  ]
}

function chatCall(use: Readonly<Record<string, unknown>>): unknown {
  return { id: use['id'], type: 'function', function: { name: use['name'], arguments: jsonText(use['input']) } }
}
