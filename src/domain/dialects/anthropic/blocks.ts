import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import { isObject } from '../row.ts'

/** What the writer needs to put a row back: its message, its place among that message's rows, its blocks. */
export interface AnthropicSource {
  readonly message: ChatMessage
  readonly part: number
  readonly parts: number
  /** The tool_result block of a tool row. */
  readonly result?: Readonly<Record<string, unknown>>
  /** tool_use block of every chat-shaped call, in the order of `tool_calls`. */
  readonly uses?: readonly Readonly<Record<string, unknown>>[]
}

/** True for a block that counts as content; all others but tool_use and tool_result are carried, measured and not read. */
export function isContentBlock(block: unknown): boolean {
  if (!isObject(block)) return true
  const { type } = block
  return type === undefined || type === 'text' || type === 'image' || type === 'image_url'
}

export function isToolUse(block: unknown): block is Readonly<Record<string, unknown>> {
  return isObject(block) && block['type'] === 'tool_use'
}

export function isToolResult(block: unknown): block is Readonly<Record<string, unknown>> {
  return isObject(block) && block['type'] === 'tool_result'
}
