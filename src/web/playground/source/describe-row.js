import { snippet } from '../../format.js'

/**
 * @import { Content, Message, Part, Row } from '../shapes.js'
 * @type {Readonly<Record<string, (row: Row) => unknown>>}
 */
const ENTRY_TEXTS = {
  session: (row) => row.cwd ?? 'header',
  model_change: (row) => row.model ?? row.modelId ?? '',
  thinking_level_change: (row) => String(row.thinkingLevel ?? ''),
  compaction: (row) => row.summary ?? '',
  branch_summary: (row) => row.summary ?? '',
  label: (row) => row.label ?? '',
  custom: (row) => row.customType ?? '',
}

/**
 * @param {string | Part | null} part
 * @returns {string}
 */
function partText(part) {
  if (typeof part === 'string') return part
  switch (part?.type) {
    case 'toolCall':
      return `${part.name}(${JSON.stringify(part.arguments ?? {})})`
    case 'tool_use':
      return `${part.name}(${JSON.stringify(part.input ?? {})})`
    case 'tool_result':
      return contentText(part.content)
    case 'thinking':
      return part.thinking ?? ''
    case 'image':
    case 'image_url':
    case 'input_image':
      return '[image]'
    default:
      return part?.text ?? ''
  }
}

/**
 * Enough of a content for one line; a row of many MB is never joined whole.
 * @param {Content | undefined} content
 * @returns {string}
 */
function contentText(content) {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .slice(0, 12)
    .map((part) => partText(part).slice(0, 400))
    .join(' ')
}

/** @param {Message['tool_calls']} calls */
function callsText(calls) {
  if (!Array.isArray(calls)) return ''
  return calls.map((call) => `${call?.function?.name ?? ''}(${call?.function?.arguments ?? ''})`).join(' ')
}

/** @param {Message} message */
function messageText(message) {
  const { role } = message
  if (role === 'bashExecution') return `$ ${message.command ?? ''}`
  if (role === 'pythonExecution') return message.code ?? ''
  if (role === 'fileMention') return (message.files ?? []).map((file) => file.path).join(' ')
  return [contentText(message.summary ?? message.content), callsText(message.tool_calls)].filter(Boolean).join(' ')
}

/**
 * Items of the Responses dialect that are no messages.
 * @param {Row} row
 */
function itemText(row) {
  if (row.type === 'function_call') return `${row.name}(${row.arguments ?? ''})`
  if (row.type === 'function_call_output') return contentText(row.output)
  return contentText(row.summary)
}

/**
 * Who speaks in one row of the input, and one line of what it says.
 * @param {Row | null | undefined} row
 */
export function describeRow(row) {
  if (typeof row !== 'object' || row === null) return { id: null, role: 'row', text: '' }
  const id = typeof row.id === 'string' ? row.id : null
  if (row.message !== undefined) {
    const role = row.message?.role ?? 'message'
    return { id, role, text: snippet(messageText(row.message ?? {})) }
  }
  if (typeof row.role === 'string') return { id: null, role: row.role, text: snippet(messageText(row)) }
  const text =
    ENTRY_TEXTS[row.type ?? ''] ??
    ((/** @type {Row} */ other) => (other.content === undefined ? itemText(other) : contentText(other.content)))
  return { id, role: row.type ?? 'row', text: snippet(String(text(row))) }
}
