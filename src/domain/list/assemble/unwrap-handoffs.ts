import { cutUserText } from '../../conversation/speakers/cut-user-text.ts'
import { isBlank, partText, type Row, rewrite, roleOf } from '../../dialects/row.ts'
import { isRowPart } from '../../dialects/row-part.ts'
import { isRecord } from '../../is-record.ts'
import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import { HANDOFF, type UnwrappedText, unwrapText } from './handoff.ts'

export interface UnwrappedRows {
  /** The list without any summary: pure summary rows gone, own words of merged rows left. */
  readonly rows: readonly Row[]
  /** Bodies found, joined oldest first; null when there was none. */
  readonly previousSummary: string | null
  /** Caller positions of the rows that held a summary. */
  readonly indexes: readonly number[]
  /** The row of the newest summary goes on with words that stood after it. */
  readonly goesOn: boolean
}

/**
 * Takes every earlier summary out of the list (docs/spec/lists.md §14: never stacked). Only user and assistant rows are looked
 * at: a marker in tool output is data (docs/bug-log.md B212).
 */
export function unwrapHandoffs(rows: readonly Row[]): UnwrappedRows {
  const kept: Row[] = []
  const bodies: string[] = []
  const indexes: number[] = []
  let goesOn = false
  for (const row of rows) {
    const role = roleOf(row.message)
    const found = role === 'user' || role === 'assistant' ? unwrapContent(row.message.content, role === 'user') : null
    if (found === null) {
      kept.push(row)
      continue
    }
    indexes.push(row.index)
    goesOn = found.goesOn
    for (const body of found.bodies) if (body !== '') bodies.push(body)
    if (!isBlank(found.own) || hasMore(row.message)) kept.push(rewrite(row, { content: found.own }))
  }
  if (indexes.length === 0) return { rows, previousSummary: null, indexes, goesOn }
  return { rows: kept, previousSummary: bodies.length === 0 ? null : bodies.join('\n\n'), indexes, goesOn }
}

interface Own {
  readonly own: unknown
  readonly bodies: readonly string[]
  readonly goesOn: boolean
}

function unwrapContent(content: unknown, isUser: boolean): Own | null {
  if (typeof content === 'string') {
    const found = unwrapText(content) ?? (isUser ? foreignSummary(content) : null)
    return found === null
      ? null
      : { own: joinOwn(found.before, found.after), bodies: [found.body], goesOn: found.after !== '' }
  }
  if (!Array.isArray(content)) return null
  const parts: readonly unknown[] = content
  const bodies: string[] = []
  const own: unknown[] = []
  let goesOn = false
  for (const part of parts) {
    // What a provider made of the past by itself is a summary like ours (docs/spec/reading.md §3).
    if (isRowPart(part) && part.type === 'summary') {
      bodies.push(part.text.trim())
      goesOn = false
      continue
    }
    const text = partText(part)
    const found = text === null ? null : (unwrapText(text) ?? (isUser ? foreignSummary(text) : null))
    if (found === null) {
      own.push(part)
      goesOn ||= bodies.length > 0
      continue
    }
    bodies.push(found.body)
    goesOn = found.after !== ''
    const words = joinOwn(found.before, found.after)
    if (words !== '') own.push(isRecord(part) ? { ...part, text: words, isEdited: true } : words)
  }
  if (bodies.length === 0) return null
  const frame: ReadonlySet<string | null> = new Set([HANDOFF.header, HANDOFF.delimiter])
  return { own: own.filter((part) => !frame.has(partText(part))), bodies, goesOn }
}

/** The sentence an agent puts before its summary. */
const OPENING =
  /^(?:This session is being continued|Another language model started|The conversation history before)[^\n]*\n\s*/

/** A whole row that is another agent's summary of what came before (docs/spec/reading.md §2). */
function foreignSummary(text: string): UnwrappedText | null {
  // What opens like ours and is none is a quotation.
  if (text.trimStart().startsWith('[')) return null
  const [piece, more] = cutUserText(text)
  if (piece?.as !== 'summary' || more !== undefined) return null
  return { kind: 'standalone', before: '', after: '', body: piece.body.replace(OPENING, '').trim() }
}

function joinOwn(before: string, after: string): string {
  return [before, after].filter((text) => text.trim() !== '').join('\n\n')
}

/** Calls of an assistant row outlive its text. */
function hasMore(message: ChatMessage): boolean {
  return Array.isArray(message.tool_calls) && message.tool_calls.length > 0
}
