import type { ListFormat } from './codec.ts'
import { isObject } from './row.ts'

const ANTHROPIC_BLOCKS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
  'document',
  'compaction',
])
const RESPONSES_PARTS: ReadonlySet<unknown> = new Set([
  'input_text',
  'output_text',
  'input_image',
  'input_file',
  'summary_text',
])

/**
 * The format a list is in, told by its shapes: the first message that can only belong to one decides. A list that fits
 * several is chat, whose rows look alike in all of them.
 */
export function detectFormat(messages: readonly unknown[]): ListFormat {
  for (const message of messages) {
    const format = isObject(message) ? formatOf(message) : null
    if (format !== null) return format
  }
  return 'openai'
}

function formatOf(message: Readonly<Record<string, unknown>>): ListFormat | null {
  if (message['role'] === 'tool' || Array.isArray(message['tool_calls'])) return 'openai'
  const { type, content } = message
  if (typeof type === 'string' && (type !== 'message' || content === undefined))
    return responsesType(type) ? 'responses' : null
  if (!Array.isArray(content)) return type === 'message' && message['role'] !== undefined ? 'responses' : null
  for (const part of content as unknown[]) {
    if (!isObject(part)) continue
    if (RESPONSES_PARTS.has(part['type'])) return 'responses'
    if (ANTHROPIC_BLOCKS.has(part['type'])) return 'anthropic'
    if (part['type'] === 'image' && isObject(part['source'])) return 'anthropic'
    if (part['type'] === 'image_url') return 'openai'
  }
  return null
}

function responsesType(type: string): boolean {
  return /^(reasoning|compaction|item_reference|\w+_call|\w+_output|mcp_list_tools|mcp_approval_request|mcp_approval_response)$/.test(
    type,
  )
}
