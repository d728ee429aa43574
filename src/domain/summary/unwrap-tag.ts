import { hasHeading } from '../text/headings.ts'

const OPENING = /^<(summary|answer|final_answer|final|output|response|result)>/i
const SUMMARY_ALONE = /^[ \t]*<summary>[ \t]*$/im

/**
 * Takes one wrapping tag off: the answer begins with it, or `<summary>` stands alone on a line after a remark without
 * headings. Unclosed (cut at the token cap): all that follows is inside. Text after the closing tag is chatter and goes,
 * unless it holds the headings that the inside lacks.
 */
export function unwrapTag(text: string): string {
  const trimmed = text.trim()
  const tag = OPENING.exec(trimmed)
  if (tag?.[1] !== undefined) return inside(trimmed.slice(tag[0].length), tag[1], text)
  const later = SUMMARY_ALONE.exec(trimmed)
  if (later === null || hasHeading(trimmed.slice(0, later.index))) return text
  return inside(trimmed.slice(later.index + later[0].length), 'summary', text)
}

function inside(rest: string, name: string, original: string): string {
  const end = lastClosing(rest, name)
  if (end < 0) return rest
  const body = rest.slice(0, end)
  const behind = rest.slice(end + name.length + 3)
  if (behind.trim() === '') return body
  if (body.trim() === '') return behind
  if (!hasHeading(behind)) return body
  return hasHeading(body) ? original : `${body}${behind}`
}

/** Index of the last `</name>`, -1 for none. The last one, since a summary may speak about such tags. */
function lastClosing(text: string, name: string): number {
  return text.toLowerCase().lastIndexOf(`</${name.toLowerCase()}>`)
}
