/** Name of this rule, returned beside every number it makes, so that two answers are never compared across rules. */
export const CHAT_ESTIMATOR = 'chat-v1'

/** One message in the chat shape, as loosely as callers send it: every field may be missing, null or of another type. */
export interface ChatMessage {
  readonly role?: unknown
  readonly content?: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: unknown
  readonly [field: string]: unknown
}

/** What a request holds beside its messages; both are an incompressible floor under every compaction. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly system?: unknown
  readonly tools?: unknown
}

const CHARS_PER_TOKEN = 4
const OVERHEAD_TOKENS = 10
const IMAGE_CHARS = 6400
const IMAGE_TYPES: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image'])

// Hidden provider fields that are sent back with every request: leaving them out made huge messages look small (#55572).
export const REPLAY_FIELDS = [
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'codex_reasoning_items',
  'codex_message_items',
] as const

// Messages are never mutated, so a figure belongs to its object for good.
const remembered = new WeakMap<object, number>()

/** True for a content part that is an image in any of the three formats. */
export function isImagePart(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null && IMAGE_TYPES.has((part as { type?: unknown }).type)
}

/** Length in Unicode code points; a lone surrogate counts one. */
export function codePoints(text: string): number {
  let pairs = 0
  for (let i = 0; i < text.length - 1; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue
    pairs += 1
    i += 1
  }
  return text.length - pairs
}

/**
 * Code points of the value as JSON with ", " and ": " between its parts (hermes-spec §1.1). Walks with its own stack:
 * nesting that would overflow the engine's must still be measured.
 */
export function wireLength(value: unknown): number {
  const stack: unknown[] = [value]
  let total = 0
  while (stack.length > 0) {
    const next = stack.pop()
    if (typeof next === 'string') total += quotedLength(next)
    else if (Array.isArray(next)) {
      total += 2 + 2 * Math.max(0, next.length - 1)
      for (const item of next) stack.push(item)
    } else if (typeof next === 'object' && next !== null) {
      let keys = 0
      for (const [key, item] of Object.entries(next)) {
        if (item === undefined) continue
        keys += 1
        total += quotedLength(key) + 2
        stack.push(item)
      }
      total += 2 + 2 * Math.max(0, keys - 1)
    } else total += String(next ?? null).length
  }
  return total
}

/** Tokens of one message: content, whole tool-call envelopes, replay fields, each floored on its own, plus 10. Memoised. */
export function messageTokens(message: ChatMessage): number {
  const known = remembered.get(message)
  if (known !== undefined) return known
  let tokens = Math.floor(contentLength(message.content) / CHARS_PER_TOKEN) + OVERHEAD_TOKENS
  // The whole envelope counts: arguments alone undercounted parallel calls 2 to 15 times (#28053).
  for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
    if (typeof call === 'object' && call !== null) tokens += Math.floor(wireLength(call) / CHARS_PER_TOKEN)
  }
  for (const field of REPLAY_FIELDS) tokens += Math.floor(serializedLength(message[field]) / CHARS_PER_TOKEN)
  remembered.set(message, tokens)
  return tokens
}

/** Tokens of a whole request. The one figure for trigger, report and progress (session-compaction §10). */
export function requestTokens(request: ChatRequest): number {
  let total = requestOverhead(request)
  for (const message of request.messages) total += messageTokens(message)
  return total
}

/** Tokens of system prompt and tools: what no compaction of messages can shrink. */
export function requestOverhead(request: Pick<ChatRequest, 'system' | 'tools'>): number {
  const tools = request.tools === undefined || request.tools === null ? 0 : wireLength(request.tools)
  return Math.ceil(contentLength(request.system) / CHARS_PER_TOKEN) + Math.ceil(tools / CHARS_PER_TOKEN)
}

function contentLength(content: unknown): number {
  if (typeof content === 'string') return codePoints(content)
  if (content === null || content === undefined || content === false || content === 0) return 0
  if (!Array.isArray(content)) return isEmptyObject(content) ? 0 : wireLength(content)
  let length = 0
  for (const part of content) length += partLength(part)
  return length
}

function partLength(part: unknown): number {
  if (typeof part === 'string') return codePoints(part)
  if (isImagePart(part)) return IMAGE_CHARS
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return wireLength(part)
  const text = (part as { text?: unknown }).text
  if (typeof text === 'string') return codePoints(text)
  return text === null || text === undefined ? 0 : wireLength(text)
}

function serializedLength(value: unknown): number {
  if (value === null || value === undefined || value === '') return 0
  return typeof value === 'string' ? codePoints(value) : wireLength(value)
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Length of the string as JSON writes it, quotes included. */
function quotedLength(text: string): number {
  let length = 2
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit === 0x22 || unit === 0x5c) length += 2
    else if (unit < 0x20) length += (unit >= 8 && unit <= 10) || unit === 12 || unit === 13 ? 2 : 6
    else if ((unit & 0xf800) !== 0xd800) length += 1
    else if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length += 1
      i += 1
    } else length += 6
  }
  return length
}
