import { DIALECT_OF_PART, LANGCHAIN_TYPES, RESPONSES_ITEMS, ROLLOUT_TYPES } from './row-types.js'

/** @import { Row } from '../shapes.js' */

/**
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

/**
 * Whose session file these lines are, beside pi's and omp's; null for no file of an agent that is known.
 * @param {readonly Row[]} rows
 */
export function agentOf(rows) {
  if (rows.some((row) => ROLLOUT_TYPES.includes(row.type) && isRecord(row.payload))) return 'Codex rollout'
  const isTranscript = rows.some((row) => typeof row.uuid === 'string' && 'parentUuid' in row && row.role === undefined)
  return isTranscript ? 'Claude Code transcript' : null
}

/** `AIMessageChunk`: so some versions write the type of a message. */
const CLASS = /^(?:System|Human|AI|Tool|Function|Chat)Message(?:Chunk)?$/

/**
 * A message of any dialect: it names who speaks, or is of a type that says so.
 * @param {Row} row
 * @returns {boolean}
 */
export const isMessage = (row) =>
  typeof row.role === 'string' || Array.isArray(row.parts) || isItem(row) || isLangChain(row)

/** @param {Row} row */
const isLangChain = (row) =>
  (row?.lc !== undefined && isRecord(row.kwargs)) ||
  (row?.role === undefined &&
    (LANGCHAIN_TYPES.includes(row?.type) || CLASS.test(String(row?.type))) &&
    (row.content !== undefined || isRecord(row.data)))

/**
 * An item of the Responses API; a message of it looks like others.
 * @param {Row} row
 */
const isItem = (row) => row?.type !== 'message' && RESPONSES_ITEMS.includes(row?.type)

/** @param {readonly unknown[]} parts */
function dialectOfParts(parts) {
  for (const part of parts) {
    const own = isRecord(part) && part.type !== undefined ? DIALECT_OF_PART[part.type] : undefined
    if (own !== undefined) return own
  }
  return parts.some((part) => isRecord(part) && part.type === undefined) ? 'bedrock' : null
}

/**
 * The dialect of a message list, for the reader's eyes only: the service finds it by itself.
 * @param {readonly Row[]} messages
 */
export function dialectOf(messages) {
  for (const message of messages) {
    if (isLangChain(message)) return 'langchain'
    if (isItem(message)) return 'responses'
    if (Array.isArray(message?.parts)) return 'gemini'
    const dialect = Array.isArray(message?.content) ? dialectOfParts(message.content) : null
    if (dialect !== null) return dialect
    if (message?.role === 'tool' || message?.tool_calls !== undefined) return 'openai'
  }
  return 'openai'
}
