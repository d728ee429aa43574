import { type Fault, RecapdError } from '../errors.ts'
import { isRecord } from '../is-record.ts'
import { jsonPointer } from '../json-pointer.ts'
import { type Codec, DIALECTS, type Dialect, type Loose } from './codec.ts'
import { CODECS } from './codecs.ts'
import { detectDialect } from './detect-dialect.ts'
import { type Unread, unreadOf } from './opaque.ts'
import { bindRanPairs } from './ran-pairs.ts'
import type { Row } from './row.ts'

/** A list that was read. The messages are the caller's own objects. */
export interface ParsedList {
  readonly format: Dialect
  readonly codec: Codec
  readonly messages: readonly Loose[]
  readonly rows: readonly Row[]
  readonly unread: Unread
}

/** Where the list stands in the body, for whoever is told of a fault in it. */
export interface ListPlace {
  readonly member: string
  /** Place of each row that was handed over, where some were taken out before. */
  readonly rows?: readonly number[] | undefined
}

const MESSAGES: ListPlace = { member: 'messages' }

/**
 * Finds the dialect of a list and reads it, once. Throws RecapdError `invalid-request` that points at the first row no reader
 * knows (docs/spec/reading.md §3): what was not understood is never certified.
 */
export function parseMessages(messages: unknown, format?: Dialect, { member, rows } = MESSAGES): ParsedList {
  if (!Array.isArray(messages)) throw invalid({ path: `/${member}`, message: 'Expected an array of messages' }, '')
  const detected = detectDialect(messages, format)
  if (!('dialect' in detected)) {
    const { path, message, isForDisplay } = detected
    const [row, ...inRow] = path
    const place = row === undefined ? [] : [rows?.[Number(row)] ?? row, ...inRow]
    throw invalid({ path: jsonPointer([member, ...place]), message }, isForDisplay ? FOR_DISPLAY : '')
  }
  return readList(messages.filter(isRecord), detected.dialect)
}

/** Reads a list whose dialect is known. */
export function readList(messages: readonly Loose[], format: Dialect): ParsedList {
  const codec = CODECS[format]
  const rows = bindRanPairs(codec.read(messages))
  return { format, codec, messages, rows, unread: unreadOf(rows) }
}

const FOR_DISPLAY = ' These are AI SDK messages made for the screen: send what convertToModelMessages makes of them.'

function invalid(fault: Fault, more: string): RecapdError {
  const detail = `The message list cannot be read at ${fault.path}: ${fault.message}. Read are ${DIALECTS.join(', ')}; one list holds one of them.${more}`
  return new RecapdError('invalid-request', detail, { errors: [fault] })
}
