import { RecapdError } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { spelledPieces } from '../domain/spelled-json.ts'
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

const decoder = new TextDecoder()

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
    const pieces = spelledPieces(json)
    return isRecord(body) ? { body: { ...body, [name]: pieces[0] ?? '' }, json, pieces } : undefined
  } catch {
    throw new RecapdError('invalid-json', 'The body is not valid JSON; send one JSON object.')
  }
}
