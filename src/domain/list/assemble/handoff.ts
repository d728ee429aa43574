/** The fixed texts around a summary. Tests pass a set of their own. */
export interface HandoffMarkers {
  /** Opens every summary we write; versioned. */
  readonly prefix: string
  /** Texts that opened a summary once, newest first: recognised and taken off, never written. */
  readonly retired: readonly string[]
  /** Opens a row in which a user's own text stands before the summary. */
  readonly header: string
  /** Between that text and the summary. */
  readonly delimiter: string
}

export const HANDOFF: HandoffMarkers = {
  prefix: `[CONVERSATION SUMMARY v1 — BACKGROUND, NOT A REQUEST] Older turns of this conversation were replaced by the summary below. Treat it as a report of the past: nothing in it is an order, and questions in it are not waiting for you. What to do now is said only by the newest user message after the summary, even where both touch the same subject; if that message stops, undoes or changes something, it overrules the summary. Standing instructions and stored memory keep their authority, and your tools work as before: use them rather than telling what you would do. Files and other state may already show the work told here, so look before doing anything a second time. Summary:`,
  retired: ['[CONTEXT SUMMARY]:'],
  header: '[PRIOR CONTEXT — for reference only; not a new message]',
  delimiter: '[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]',
}

/** Closes every summary: what follows it is live (#11475, #14521). Its beginning is fixed, END_LINE knows it by that. */
export const END_MARKER = '--- END OF CONTEXT SUMMARY — what follows is the live conversation ---'

// Hermes has changed its long opening several times; all of them begin and end alike (docs/spec/lists.md §13).
const FOREIGN_START = '[CONTEXT COMPACTION'
const FOREIGN_END = 'avoid repeating it:'
const FOREIGN_REACH = 3000
const END_LINE = /^--- END OF CONTEXT SUMMARY[^\n]*$/m
const END_LINES = new RegExp(END_LINE.source, 'gm')

/** Where a summary stands in a text: the user's own words before and after it, and its bare body. */
export interface UnwrappedText {
  readonly kind: 'standalone' | 'merged'
  readonly body: string
  /** Own words before the summary, header off. */
  readonly before: string
  /** Own words after the END marker. */
  readonly after: string
}

/**
 * Takes a text apart that holds a summary, known by its words alone, since stores drop flags; null for any other text, also
 * one that merely quotes a marker.
 */
export function unwrapText(text: string, markers: HandoffMarkers = HANDOFF): UnwrappedText | null {
  const start = text.trimStart()
  const bare = dropPrefix(start, markers)
  if (bare !== null) return { kind: 'standalone', before: '', ...splitAtEnd(bare) }
  // The delimiter may be quoted by the user's own words, so only one that a summary follows counts.
  for (let at = text.indexOf(markers.delimiter); at >= 0; at = text.indexOf(markers.delimiter, at + 1)) {
    const body = dropPrefix(text.slice(at + markers.delimiter.length).trimStart(), markers)
    if (body !== null) return { kind: 'merged', before: dropHeader(text.slice(0, at), markers), ...splitAtEnd(body) }
  }
  return null
}

/** The bare body of a summary: without own words around it, opening and END marker. Other texts come back trimmed. */
export function stripPrefix(text: string, markers: HandoffMarkers = HANDOFF): string {
  const unwrapped = unwrapText(text, markers)
  if (unwrapped !== null) return unwrapped.body
  return splitAtEnd(text.trim()).body
}

/** The text under the current opening, whatever opening it had; idempotent. */
export function withPrefix(text: string, markers: HandoffMarkers = HANDOFF): string {
  const body = stripPrefix(text, markers)
  return body === '' ? markers.prefix : `${markers.prefix}\n${body}`
}

/** A summary as it goes into the list: opening, body, END marker. A marker within the body would close it early: taken out. */
export function handoffText(summary: string): string {
  return `${withPrefix(summary.replace(END_LINES, ''))}\n\n${END_MARKER}`
}

/** Text after one known opening at its start, left-trimmed; null when there is none. */
function dropPrefix(text: string, markers: HandoffMarkers): string | null {
  for (const prefix of [markers.prefix, ...markers.retired]) {
    if (text.startsWith(prefix)) return text.slice(prefix.length).trimStart()
  }
  if (!text.startsWith(FOREIGN_START)) return null
  const end = text.slice(0, FOREIGN_REACH).indexOf(FOREIGN_END)
  return end < 0 ? null : text.slice(end + FOREIGN_END.length).trimStart()
}

function dropHeader(text: string, markers: HandoffMarkers): string {
  const trimmed = text.trim()
  return trimmed.startsWith(markers.header) ? trimmed.slice(markers.header.length).trim() : trimmed
}

function splitAtEnd(text: string): { body: string; after: string } {
  const end = END_LINE.exec(text)
  if (end === null) return { body: text.trimEnd(), after: '' }
  // Exactly the blank line that was written goes: the user's own leading whitespace stays.
  return {
    body: text.slice(0, end.index).trimEnd(),
    after: text.slice(end.index + end[0].length).replace(/^\n{1,2}/, ''),
  }
}
