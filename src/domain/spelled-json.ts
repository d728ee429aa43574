/**
 * JSON strings as they were spelled: UTF-8 bytes, quotes included. Bytes of a long one are handed on where its text would have to be made, kept and
 * spelled again.
 */
import { asBuffer } from './as-buffer.ts'

/** Exactly what stands there: a mark of byte order inside a text belongs to it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes of a piece. A text of more than 65,536 characters gets memory of its own from the system, which takes longer than to read it. */
const PIECE_BYTES = 49_152

const LINE_END = Buffer.from('\\n')
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** The text of valid JSON. */
export const spelledText = (json: Uint8Array): string => JSON.parse(asBuffer(json).toString())

/** Its bytes without the quotes, to be put between others. */
export const spelling = (text: string): Buffer => Buffer.from(JSON.stringify(text).slice(1, -1))

/** Bytes in front of each of these UTF-16 units, which are in order. */
export function spelledPlaces(json: Uint8Array, units: readonly number[]): readonly number[] {
  let at = 1
  let unit = 0
  return units.map((wanted) => {
    while (unit < wanted && at < json.length) {
      const byte = json[at] ?? 0
      unit += byte >= 0xf0 ? 2 : 1
      at += byte === BACKSLASH ? escapeLength(json, at) : bytesOfLead(byte)
    }
    return at
  })
}

const escapeLength = (json: Uint8Array, at: number): number => (json[at + 1] === LETTER_U ? 6 : 2)

const bytesOfLead = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

/** The text of a JSON string in order; where its lines allow, each piece but the last ends one. Throws where it is not valid. */
export function spelledPieces(json: Buffer): readonly string[] {
  const inside = json.subarray(1, -1)
  const pieces: string[] = []
  for (let from = 0; from < inside.length; ) {
    const end = pieceEnd(inside, from)
    pieces.push(JSON.parse(`"${decoder.decode(inside.subarray(from, end))}"`))
    from = end
  }
  return pieces
}

/** Behind the last line end that fits; else between two characters, however they are spelled. */
function pieceEnd(inside: Buffer, from: number): number {
  const most = from + PIECE_BYTES
  if (most >= inside.length) return inside.length
  for (let at = lineEndBefore(inside, most); at >= from; at = lineEndBefore(inside, at)) {
    if (isEscape(inside, at, from)) return at + LINE_END.length
  }
  return characterStart(inside, from, most)
}

const lineEndBefore = (inside: Buffer, end: number): number => inside.lastIndexOf(LINE_END, end - LINE_END.length)

/** Whether the backslash at `at` begins an escape, and is not itself escaped. */
function isEscape(inside: Buffer, at: number, from: number): boolean {
  let first = at
  while (first > from && inside[first - 1] === BACKSLASH) first -= 1
  return (at - first) % 2 === 0
}

function characterStart(inside: Buffer, from: number, most: number): number {
  let end = most
  while (((inside[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const slash = inside.lastIndexOf(BACKSLASH, end - 1)
  return slash >= from && slash + escapeLength(inside, slash) > end && isEscape(inside, slash, from) ? slash : end
}
