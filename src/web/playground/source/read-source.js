import { agentOf, dialectOf, isEntry, isMessage } from './recognize.js'

/**
 * @import { Fields, Row, Source } from '../shapes.js'
 * @param {unknown} value
 * @returns {value is Row & Fields}
 */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What belongs to the agent's own call to its model and would mislead a compaction. */
const AGENT_FIELDS = [
  'model',
  'stream',
  'max_tokens',
  'temperature',
  'tool_choice',
  'store',
  'input',
  'instructions',
  'contents',
  'systemInstruction',
  'generationConfig',
]

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * @param {readonly Row[]} messages
 * @param {Fields} [extra]
 * @returns {Source}
 */
function messagesSource(messages, extra = {}) {
  const { format } = extra
  const dialect = typeof format === 'string' ? format : dialectOf(messages)
  return { kind: 'messages', dialect, rows: messages, body: { ...extra, messages } }
}

/**
 * @param {Fields} body
 * @returns {Fields}
 */
function withoutAgentFields(body) {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !AGENT_FIELDS.includes(name)))
}

/**
 * @param {Row & Fields} body
 * @param {string} text
 * @returns {Source}
 */
function fromObject(body, text) {
  if (Array.isArray(body['entries'])) return { kind: 'session', rows: body['entries'], skipped: 0, body }
  if (Array.isArray(body['messages'])) return messagesSource(body['messages'], withoutAgentFields(body))
  if (Array.isArray(body['input'])) {
    const system = typeof body['instructions'] === 'string' ? { system: body['instructions'] } : {}
    return messagesSource(body['input'], { ...withoutAgentFields(body), ...system, format: 'responses' })
  }
  if (Array.isArray(body['contents'])) {
    const system = body['systemInstruction'] === undefined ? {} : { system: body['systemInstruction'] }
    return messagesSource(body['contents'], { ...withoutAgentFields(body), ...system, format: 'gemini' })
  }
  if (typeof body['prompt'] === 'string') return { kind: 'prompt', body }
  return isEntry(body) ? { kind: 'session', rows: [body], skipped: 0, text } : { kind: 'text', text }
}

/**
 * Lines of JSON: a session file, or a list of messages written one a line. Null when it is neither.
 * @param {string} text
 * @returns {Source | null}
 */
function fromLines(text) {
  /** @type {Row[]} */
  const rows = []
  let skipped = 0
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    const row = parsed(line)
    if (isRecord(row)) rows.push(row)
    else skipped += 1
  }
  // Prose with a JSON line in it is prose: most lines have to be objects.
  if (rows.length === 0 || skipped > rows.length) return null
  if (rows.some(isEntry)) return { kind: 'session', rows, skipped, text }
  const agent = agentOf(rows)
  // Which of its lines are live is the service's to say: they are counted here, not shown.
  if (agent !== null) return { kind: 'transcript', agent, rows: [], lines: rows.length, skipped, text }
  return rows.every(isMessage) ? messagesSource(rows) : { kind: 'text', text, foreign: true }
}

/**
 * What somebody pasted or dropped. `kind` is empty, session, transcript (a file of another agent), messages, prompt (a
 * /summarize body) or text; `rows` are its
 * entries or messages; `text` is there where the file can be sent just as it lies.
 * @param {string} text
 * @returns {Source}
 */
export function readSource(text) {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text
  const first = source.trimStart().charAt(0)
  if (first === '') return { kind: 'empty' }
  if (first !== '{' && first !== '[') return { kind: 'text', text: source }
  const value = parsed(source)
  if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) {
    return value.some(isEntry)
      ? { kind: 'session', rows: value, skipped: 0, body: { entries: value } }
      : messagesSource(value)
  }
  if (isRecord(value)) return fromObject(value, source)
  return fromLines(source) ?? { kind: 'text', text: source, brokenJson: value === undefined }
}
