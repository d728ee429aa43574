import { utf8Length } from '../tokens/utf8.ts'
import { neutralizeLabels } from './structure/neutralize.ts'

export interface CutText {
  readonly text: string
  /** UTF-16 units that were left out; 0 when the text was short enough. */
  readonly removed: number
}

/** Room for the marker itself, whatever its number. */
const MARKER_BYTES = 80

/**
 * The beginning and the end of a text that is too long, around a marker that says how much is missing (docs/spec/models.md §6). At
 * most `maxBytes` of UTF-8 where that leaves room for the marker at all. Never cuts inside a surrogate pair.
 */
export function cutMiddle(text: string, maxBytes: number): CutText {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return { text, removed: 0 }
  const half = Math.max(0, Math.floor((maxBytes - MARKER_BYTES) / 2))
  const head = headEnd(text, half)
  const tail = Math.max(head, tailStart(text, half))
  const removed = tail - head
  // A cut makes a new line: what stood inside of one must not become a label at its start.
  const rest = neutralizeLabels(text.slice(tail))
  return { text: `${text.slice(0, head)}\n[… ${removed} characters left out here …]\n${rest}`, removed }
}

/** Only what is kept is looked at, so that cutting megabytes costs no more than the cut. */
function headEnd(text: string, maxBytes: number): number {
  let at = 0
  for (let bytes = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    bytes += bytesOf(code)
    if (bytes > maxBytes) break
    at += code > 0xffff ? 2 : 1
  }
  return at
}

function tailStart(text: string, maxBytes: number): number {
  let at = text.length
  for (let bytes = 0; at > 0; ) {
    const low = text.charCodeAt(at - 1)
    const paired = (low & 0xfc00) === 0xdc00 && at > 1 && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800
    bytes += paired ? 4 : bytesOf(low)
    if (bytes > maxBytes) break
    at -= paired ? 2 : 1
  }
  return at
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code > 0xffff ? 4 : 3
}
