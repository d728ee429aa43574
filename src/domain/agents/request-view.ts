import { isRecord } from '../is-record.ts'
/** The four request shapes that agents speak to their providers. */
export type Wire = 'messages' | 'chat' | 'responses' | 'gemini'

type Json = Readonly<Record<string, unknown>>

/** What an agent's compaction call is recognised by, whatever the wire. Rows are read leniently: a stranger's body is not an error. */
export interface RequestView {
  readonly wire: Wire
  readonly body: Json
  /** Name of the member that holds the rows. */
  readonly list: 'messages' | 'input' | 'contents'
  readonly rows: readonly unknown[]
  /** System text, wherever the wire puts it. */
  readonly system: string
  /** The part of it that stands beside the rows, not in them. */
  readonly besideRows: string
  readonly tools: number
  /** The last row of the user's with the place of its last text; null where another speaker (system rows aside) is last. */
  readonly last: LastText | null
}

export interface LastText {
  readonly row: number
  /** Place of the text among the row's parts; null where the content is one string. */
  readonly part: number | null
  readonly text: string
}

const LIST = { messages: 'messages', chat: 'messages', responses: 'input', gemini: 'contents' } as const

/** The view of a parsed body; null where it is not an object or holds no list of rows. */
export function viewRequest(wire: Wire, body: unknown): RequestView | null {
  if (!isRecord(body)) return null
  const list = LIST[wire]
  const rows: unknown = body[list]
  if (!Array.isArray(rows)) return null
  return {
    wire,
    body,
    list,
    rows,
    system: systemOf(wire, body, rows),
    besideRows: besideRows(wire, body),
    tools: toolsOf(body),
    last: lastUserText(wire, rows),
  }
}

export function roleOfRow(row: unknown): string {
  return isRecord(row) && typeof row['role'] === 'string' ? row['role'] : ''
}

/** Parts of a row: `content`, or `parts` in Gemini's wire; one string is one part. */
export function partsOfRow(wire: Wire, row: unknown): readonly unknown[] {
  if (!isRecord(row)) return []
  const content = row[wire === 'gemini' ? 'parts' : 'content']
  return Array.isArray(content) ? content : typeof content === 'string' ? [content] : []
}

export function textOfPart(part: unknown): string | null {
  if (typeof part === 'string') return part
  if (!isRecord(part)) return null
  return typeof part['text'] === 'string' ? part['text'] : null
}

function toolsOf({ tools }: Json): number {
  return Array.isArray(tools) ? tools.length : 0
}

function besideRows(wire: Wire, body: Json): string {
  if (wire === 'messages') return joined(wire, { content: body['system'] })
  if (wire === 'gemini') return joined(wire, body['systemInstruction'] ?? body['system_instruction'])
  return wire === 'responses' && typeof body['instructions'] === 'string' ? body['instructions'] : ''
}

/** All system text of a request: beside its rows, and of the rows before the first turn. */
function systemOf(wire: Wire, body: Json, rows: readonly unknown[]): string {
  const turn = rows.findIndex((row) => !isInstructionRow(row))
  const head = rows.slice(0, turn < 0 ? rows.length : turn).map((row) => joined(wire, row))
  return [besideRows(wire, body), ...head].filter((text) => text !== '').join('\n\n')
}

const joined = (wire: Wire, row: unknown): string =>
  partsOfRow(wire, row)
    .flatMap((part) => textOfPart(part) ?? [])
    // Chat cuts one text into parts where it likes; elsewhere a part is a block of its own.
    .join(wire === 'chat' ? '' : '\n\n')

export function isInstructionRow(row: unknown): boolean {
  return ['system', 'developer'].includes(roleOfRow(row))
}

/** Rows of role `system` may stand after the last turn (Claude Code after a 400); they are skipped. */
function lastUserText(wire: Wire, rows: readonly unknown[]): LastText | null {
  const row = rows.findLastIndex((candidate) => !isInstructionRow(candidate))
  if (row < 0 || roleOfRow(rows[row]) !== 'user') return null
  const parts = partsOfRow(wire, rows[row])
  const at = parts.findLastIndex((part) => textOfPart(part) !== null)
  const text = textOfPart(parts[at])
  // A text with a result or an image after it is not what the row ends in.
  if (text === null || at !== parts.length - 1) return null
  return { row, part: typeof parts[at] === 'string' && parts.length === 1 ? null : at, text }
}
