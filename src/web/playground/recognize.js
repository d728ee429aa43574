/**
 * @import { Row } from './shapes.js'
 * @param {unknown} value
 * @returns {value is Row}
 */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * An entry of pi or omp: the header, or a message wrapped in one. Other agents write lines with `type` as well.
 * @param {unknown} row
 */
export const isEntry = (row) =>
  isRecord(row) &&
  (row.type === 'session' ||
    (row.type === 'message' && typeof row.message?.role === 'string' && row.uuid === undefined))

/** @type {ReadonlySet<unknown>} */
const ROLLOUT = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted'])

/**
 * Whose session file these lines are, beside pi's and omp's; null for no file of an agent that is known.
 * @param {readonly Row[]} rows
 */
export function agentOf(rows) {
  if (rows.some((row) => ROLLOUT.has(row.type) && isRecord(row.payload))) return 'Codex rollout'
  const isTranscript = rows.some((row) => typeof row.uuid === 'string' && 'parentUuid' in row && row.role === undefined)
  return isTranscript ? 'Claude Code transcript' : null
}

/** @type {ReadonlySet<unknown>} */
const LANGCHAIN = new Set(['human', 'ai', 'system', 'tool', 'AIMessageChunk', 'HumanMessageChunk'])
/** @type {ReadonlySet<unknown>} */
const RESPONSES_ITEMS = new Set(['function_call', 'function_call_output', 'reasoning', 'input_text', 'output_text'])
/** @type {ReadonlySet<unknown>} */
const ANTHROPIC_PARTS = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking'])
/** @type {ReadonlySet<unknown>} */
const VERCEL_PARTS = new Set(['tool-call', 'tool-result'])

/**
 * A message of any dialect: it names who speaks, or is of a type that says so.
 * @param {Row} row
 * @returns {boolean}
 */
export const isMessage = (row) =>
  typeof row.role === 'string' || Array.isArray(row.parts) || RESPONSES_ITEMS.has(row.type) || isLangChain(row)

/** @param {Row} row */
const isLangChain = (row) =>
  (row?.lc !== undefined && isRecord(row.kwargs)) ||
  (row?.role === undefined && LANGCHAIN.has(row?.type) && (row.content !== undefined || isRecord(row.data)))

/** @param {unknown} part */
const typeOf = (part) => (isRecord(part) ? part.type : undefined)

/** @param {readonly unknown[]} parts */
function dialectOfParts(parts) {
  if (parts.some((part) => RESPONSES_ITEMS.has(typeOf(part)))) return 'responses'
  if (parts.some((part) => ANTHROPIC_PARTS.has(typeOf(part)))) return 'anthropic'
  if (parts.some((part) => VERCEL_PARTS.has(typeOf(part)))) return 'vercel'
  return parts.some((part) => isRecord(part) && part.type === undefined) ? 'bedrock' : null
}

/**
 * The dialect of a message list, for the reader's eyes only: the service finds it by itself.
 * @param {readonly Row[]} messages
 */
export function dialectOf(messages) {
  for (const message of messages) {
    if (isLangChain(message)) return 'langchain'
    if (RESPONSES_ITEMS.has(message?.type)) return 'responses'
    if (Array.isArray(message?.parts)) return 'gemini'
    const dialect = Array.isArray(message?.content) ? dialectOfParts(message.content) : null
    if (dialect !== null) return dialect
    if (message?.role === 'tool' || message?.tool_calls !== undefined) return 'openai'
  }
  return 'openai'
}
