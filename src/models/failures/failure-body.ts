import { parseJson } from '../../domain/parse-json.ts'
/** What an error answer says, whatever shape the provider gave it. */
export interface FailureBody {
  /** Lower-case machine words found under `code`, `type`, `status`, `reason` and the like. */
  readonly codes: readonly string[]
  /** A status that stands in the body (`"code": 429`), where the answer itself came with 200. */
  readonly status: number | undefined
  /** Fields that say when to come back, under header-like names (`retry-after`, `resets-at`), wherever they stood. */
  readonly fields: ReadonlyMap<string, string>
  /** Every text of it, shortened; never shown to anybody, only matched. */
  readonly text: string
  /** The provider's own words for the operator's log, not yet cleaned. */
  readonly words: { readonly code?: string; readonly type?: string; readonly message?: string }
}

const CODE_KEYS = new Set(['code', 'type', 'status', 'reason', 'error_type', '__type', 'error'])
const MESSAGE_KEYS = new Set(['message', 'error', 'detail', 'msg', 'error_message', 'error_msg', 'title'])
const FIELD_NAME = /retry|reset|ratelimit/
/** Characters that are read of all texts together. */
export const MAX_TEXT = 8192
const MAX_INNER = 65_536
const MAX_DEPTH = 8
const MAX_VALUES = 2_000
const MACHINE_WORD = /^[A-Za-z][A-Za-z0-9_.:-]{2,79}$/
const STATUS_WORD = /^[45]\d\d$/

interface Found {
  readonly codes: string[]
  status: number | undefined
  readonly fields: Map<string, string>
  readonly texts: string[]
  readonly words: { code?: string; type?: string; message?: string }
  length: number
  values: number
}

/**
 * Reads an error body: an object at any nesting, a list of them (Gemini's OpenAI face), JSON inside a string, with or
 * without words around it (SDKs write `400 {json}`, routers wrap the original so), or plain text.
 */
export function readFailureBody(body: unknown): FailureBody {
  const found: Found = { codes: [], status: undefined, fields: new Map(), texts: [], words: {}, length: 0, values: 0 }
  walk({ value: body, key: '', depth: 0 }, found)
  const { codes, status, fields, words } = found
  return { codes, status, fields, words, text: found.texts.join('\n') }
}

function walk(
  { value, key, depth }: { readonly value: unknown; readonly key: string; readonly depth: number },
  found: Found,
): void {
  found.values += 1
  if (depth > MAX_DEPTH || found.length > MAX_TEXT || found.values > MAX_VALUES) return
  if (typeof value === 'string') takeString({ value, key, depth }, found)
  else if (typeof value === 'number') takeNumber(value, key, found)
  else if (typeof value === 'object' && value !== null) {
    if (key === 'retryDelay') takeDuration(value, found)
    for (const name in value) {
      const inner: unknown = Reflect.get(value, name)
      walk({ value: inner, key: Array.isArray(value) ? key : name, depth: depth + 1 }, found)
    }
  }
}

function takeString(
  { value, key, depth }: { readonly value: string; readonly key: string; readonly depth: number },
  found: Found,
): void {
  const inner = innerJson(value)
  const text = inner === undefined ? value.slice(0, MAX_TEXT) : inner.before
  if (inner === undefined || text.trim() !== '') takeText(text, key, found)
  if (inner !== undefined) walk({ value: inner.value, key, depth: depth + 1 }, found)
}

function takeText(text: string, key: string, found: Found): void {
  const { codes, words } = found
  if (CODE_KEYS.has(key)) {
    if (MACHINE_WORD.test(text)) codes.push(text.toLowerCase())
    if (STATUS_WORD.test(text)) found.status ??= Number(text)
  }
  if (key === 'code') words.code ??= text
  if (key === 'type' || key === '__type') words.type ??= text
  if (MESSAGE_KEYS.has(key) || key === '') words.message ??= text
  takeField(key, text, found)
  found.texts.push(text)
  found.length += text.length
}

function takeNumber(value: number, key: string, found: Found): void {
  if ((key === 'code' || key === 'status') && value >= 400 && value < 600) found.status ??= value
  if (key === 'code') found.words.code ??= String(value)
  takeField(key, String(value), found)
}

/** google.rpc.RetryInfo as an object: `{seconds, nanos}`. */
function takeDuration(value: object, found: Found): void {
  const seconds = Number(Reflect.get(value, 'seconds') ?? 0) + Number(Reflect.get(value, 'nanos') ?? 0) / 1e9
  if (seconds > 0) takeField('retryDelay', `${seconds}s`, found)
}

/** `retryAfterMs`, `retry_after_ms` and `Retry-After-Ms` are one name. */
export function fieldName(key: string): string {
  const dashed = key.replace(/([a-z\d])([A-Z])/g, '$1-$2').replaceAll('_', '-')
  return dashed.toLowerCase().replace('rate-limit', 'ratelimit')
}

function takeField(key: string, value: string, { fields }: Found): void {
  if (key.length > 60 || value.length > 60) return
  const name = fieldName(key)
  if (FIELD_NAME.test(name) && !fields.has(name)) fields.set(name, value)
}

/** JSON that a string holds, and what stands in front of it. */
function innerJson(text: string): { readonly before: string; readonly value: object } | undefined {
  if (text.length > MAX_INNER) return undefined
  const start = text.slice(0, 400).search(/[{[](?=\s{0,8}["{[])/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (start < 0 || end < start) return undefined
  const value = parseJson(text.slice(start, end + 1))
  return typeof value === 'object' && value !== null ? { before: text.slice(0, start), value } : undefined
}
