import { RecapdError } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { plainStringEnd } from '../domain/transcript/plain-spelling.ts'
import { stringMember } from './string-member.ts'

/** A body whose one long text was left as it was spelled. */
export interface SpelledBody {
  /** Instead of the long text it has another, which is empty where that is. */
  readonly body: Readonly<Record<string, unknown>>
  /** The long text as it was spelled, quotes included. */
  readonly json: Buffer
}

const decoder = new TextDecoder()
const EMPTY = '""'
const ANY_TEXT = '"."'

/**
 * Reads a JSON object one of whose members is a text without a conversation, which nobody has to read. Undefined where the member cannot be
 * told at a glance (string-member.ts), or may hold one (plain-spelling.ts). Throws `invalid-json`.
 */
export function readSpelled(bytes: Buffer, name: string): SpelledBody | undefined {
  const json = stringMember(bytes, name, (from) => plainStringEnd(bytes, from))
  if (json === undefined) return undefined
  const at = json.byteOffset - bytes.byteOffset
  const text = json.length > EMPTY.length ? ANY_TEXT : EMPTY
  const rest = `${decoder.decode(bytes.subarray(0, at))}${text}${decoder.decode(bytes.subarray(at + json.length))}`
  try {
    const body: unknown = JSON.parse(rest)
    return isRecord(body) ? { body, json } : undefined
  } catch {
    throw new RecapdError('invalid-json', 'The body is not valid JSON; send one JSON object.')
  }
}
