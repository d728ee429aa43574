import { isRecord } from '../is-record.ts'
import { textQuarters, wireQuarters } from './quarters.ts'

/** Name of this rule, returned beside every number it makes, so that two answers are never compared across rules. */
export const CHAT_ESTIMATOR = 'chat-v2'

/** One message in the chat shape, as loosely as callers send it: every field may be missing, null or of another type. */
export interface ChatMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly [field: string]: unknown
}

/** What a request holds beside its messages: an incompressible floor under every compaction. */
export interface RequestOverhead {
  readonly system?: unknown
  readonly tools?: unknown
}

const OVERHEAD_TOKENS = 10
/** An image or a screenshot, whatever its bytes. */
export const IMAGE_QUARTERS = 6400
const IMAGE_TYPES: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image'])

// Hidden provider fields that are sent back with every request: leaving them out made huge messages look small (#55572).
const REPLAY_FIELDS = [
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'codex_reasoning_items',
  'codex_message_items',
  // The old single call, and an answer that is a refusal.
  'function_call',
  'refusal',
] as const

// Messages are never mutated, so a figure belongs to its object for good.
const remembered = new WeakMap<object, number>()

/**
 * Tokens of one message (docs/spec/reading.md §6): content, whole tool-call envelopes, replay fields, each floored on its own,
 * plus 10. Parts of its content that a reader weighed (`quarters`) weigh that. Memoised.
 */
export function chatMessageTokens(message: ChatMessage): number {
  const known = remembered.get(message)
  if (known !== undefined) return known
  let tokens = Math.floor(contentQuarters(message.content) / 4) + OVERHEAD_TOKENS
  // The whole envelope counts: arguments alone undercounted parallel calls 2 to 15 times (#28053).
  for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
    if (typeof call === 'object' && call !== null) tokens += Math.floor(wireQuarters(call) / 4)
  }
  for (const field of REPLAY_FIELDS) tokens += Math.floor(serializedQuarters(message[field]) / 4)
  remembered.set(message, tokens)
  return tokens
}

/** Tokens of system prompt and tools: what no compaction of messages can shrink. */
export function requestOverhead(request: RequestOverhead): number {
  const tools = request.tools === undefined || request.tools === null ? 0 : wireQuarters(request.tools)
  return Math.ceil(contentQuarters(request.system) / 4) + Math.ceil(tools / 4)
}

function contentQuarters(content: unknown): number {
  if (typeof content === 'string') return textQuarters(content)
  if (content === null || content === undefined || content === false || content === 0) return 0
  if (!Array.isArray(content)) return isEmptyObject(content) ? 0 : wireQuarters(content)
  let quarters = 0
  for (const part of content) quarters += partQuarters(part)
  return quarters
}

function partQuarters(part: unknown): number {
  if (typeof part === 'string') return textQuarters(part)
  if (!isRecord(part)) return wireQuarters(part)
  const { quarters, type, text } = part
  if (typeof quarters === 'number') return quarters
  if (IMAGE_TYPES.has(type)) return IMAGE_QUARTERS
  if (typeof text === 'string') return textQuarters(text)
  return text === null || text === undefined ? 0 : wireQuarters(text)
}

function serializedQuarters(value: unknown): number {
  if (value === null || value === undefined || value === '') return 0
  return typeof value === 'string' ? textQuarters(value) : wireQuarters(value)
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
