import { RecapdError } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { stringMember } from './string-member.ts'

/** A body whose one long text was read apart from the rest. */
export interface SpelledBody {
  /** Of the long text it has the first piece. */
  readonly body: Readonly<Record<string, unknown>>
  /** The long text as it was spelled, quotes included. */
  readonly json: Buffer
  /** All of it in order; where its lines allow, each piece but the last ends one. */
  readonly pieces: readonly string[]
}

/** Exactly what stands there: a mark of byte order inside a text belongs to it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes of a piece. A text of more than 65,536 characters gets memory of its own from the system, which takes longer than to read it. */
const PIECE_BYTES = 49_152

const LINE_END = Buffer.from('\\n')
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/**
 * Reads a JSON object one of whose members is a long text, that text in pieces. Undefined where the member cannot be told at a glance
 * (string-member.ts). Throws `invalid-json`.
 */
export function readSpelled(bytes: Buffer, name: string): SpelledBody | undefined {
  const json = stringMember(bytes, name)
  if (json === undefined) return undefined
  const at = json.byteOffset - bytes.byteOffset
  const rest = `${decoder.decode(bytes.subarray(0, at))}""${decoder.decode(bytes.subarray(at + json.length))}`
  try {
    const body: unknown = JSON.parse(rest)
    const pieces = piecesOf(json.subarray(1, -1))
    return isRecord(body) ? { body: { ...body, [name]: pieces[0] ?? '' }, json, pieces } : undefined
  } catch {
    throw new RecapdError('invalid-json', 'The body is not valid JSON; send one JSON object.')
  }
}

function piecesOf(inside: Buffer): readonly string[] {
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
  const length = inside[slash + 1] === LETTER_U ? 6 : 2
  return slash >= from && slash + length > end && isEscape(inside, slash, from) ? slash : end
}
