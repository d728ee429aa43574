import { fieldName, MAX_TEXT } from './failure-body.ts'

/** The part of `Headers` a hint is read from. */
export interface HeaderReader {
  get(name: string): string | null | undefined
}

export interface HintSource {
  readonly headers?: HeaderReader | undefined
  /** Fields of the body under header-like names (failure-body.ts). */
  readonly fields?: HeaderReader | undefined
  /** Message, reason phrase and body of the failure; only its words for a wait are looked at. */
  readonly text?: string | undefined
}

const DAY_MS = 86_400_000
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/
const DURATION = /^(?:\d{1,15}(?:\.\d{1,15})?(?:ms|s|m|h|d)){1,6}$/
// bounded: one span of at most 300 characters (DURATION, SPAN_IN_TEXT)
const DURATION_PART =
  /(\d{1,15}(?:\.\d{1,15})?)\s?(milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])/gi
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, s: 1000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS }

/** Numbers over these are points in time, not spans (docs/spec/sessions.md §14). */
const EPOCH_SECONDS_FROM = 1e9
const EPOCH_MS_FROM = 1e12

/** Header-like words in a text: `retry-after: 5`, `x-ratelimit-reset=…`, `"anthropic-ratelimit-tokens-reset": "…"`. */
// bounded: 16,384 characters of words
const FIELD_IN_TEXT =
  /\b((?:x-|anthropic-)?(?:retry[-_]?after|retry[-_]?delay|rate-?limit|resets?[-_](?:in|at|after))[a-z_-]{0,40})["']?\s{0,4}[:=]\s{0,4}["']?([A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[\w.:+-]{1,40})/gi
const ONE_SPAN =
  '\\d{1,15}(?:\\.\\d{1,15})?\\s?(?:milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])'
const SPAN_IN_TEXT = new RegExp(
  `\\b(?:again|retry(?:ing)?|reset(?:s|ting)?|wait|available)\\s{1,3}(?:(?:in|after|for)\\s{1,3})?(?:(?:about|another|at least|approximately)\\s{1,3})?(${ONE_SPAN}(?:(?:,|\\sand)?\\s?${ONE_SPAN}){0,5})(?![a-z])`,
  'i',
)
const SECONDS_IN_TEXT = /\b(?:again|retry|reset)\s{1,3}(?:in|after)\s{1,3}(\d{1,15}(?:\.\d{1,15})?)/i
const TIMESTAMP_IN_TEXT =
  /\b(?:again|retry|reset|resets|until|available|after|reset_at|resets_at)["']?[:\s]\s{0,2}["']?(?:(?:at|on|after)\s)?["']?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))/i

/**
 * How long the provider asks us to wait, in ms from `nowMs`, or undefined: headers, then fields of the body, then words.
 * First match wins (docs/spec/models.md §3); negative is 0, junk is not a hint, and more than a day is a day.
 */
export function retryHint({ headers, fields, text = '' }: HintSource, nowMs: number): number | undefined {
  const words = text.slice(0, 2 * MAX_TEXT)
  const hint =
    (headers && fromFields(headers, nowMs)) ??
    (fields && fromFields(fields, nowMs)) ??
    fromFields(fieldsIn(words), nowMs) ??
    fromWords(words, nowMs)
  return hint === undefined ? undefined : Math.min(Math.max(0, Math.round(hint)), DAY_MS)
}

/** Such a hint is not waited for: it is over maxDelayMs, or past the deadline. The key rests instead (docs/spec/models.md §3). */
export function isLongHint(hintMs: number | undefined, limits: { maxDelayMs: number; leftMs: number }): boolean {
  return hintMs !== undefined && (hintMs > limits.maxDelayMs || hintMs > limits.leftMs)
}

/** Names in the order in which they are asked, with the unit of a plain number in ms. */
const RESETS: readonly (readonly [string, number])[] = [
  ['x-ratelimit-reset', 1000],
  ['ratelimit-reset', 1000],
  ['x-ratelimit-reset-after', 1000],
  ['retry-delay', 1000],
  ['resets-in-seconds', 1000],
  ['reset-in-seconds', 1000],
  ['resets-in', 1000],
  ['reset-after', 1000],
  ['resets-at', 1000],
  ['reset-at', 1000],
  ['reset-time', 1000],
]
const AFTERS = ['retry-after', 'retry-after-seconds', 'retry-after-secs']
const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens']

function fromFields(fields: HeaderReader, nowMs: number): number | undefined {
  return (
    readReset(fields.get('retry-after-ms'), nowMs, 1) ??
    first(AFTERS, (name) => readReset(fields.get(name), nowMs, 1000)) ??
    readReset(fields.get('x-ratelimit-reset-ms'), nowMs, 1) ??
    first(LIMITS, (what) => readLimit(fields, what, nowMs)) ??
    first(RESETS, ([name, unitMs]) => readReset(fields.get(name), nowMs, unitMs))
  )
}

function first<T>(items: readonly T[], read: (item: T) => number | undefined): number | undefined {
  for (const item of items) {
    const value = read(item)
    if (value !== undefined) return value
  }
  return undefined
}

/** Providers send all limits with every answer; one that is not used up is not what we wait for. */
function readLimit(fields: HeaderReader, what: string, nowMs: number): number | undefined {
  const [openai, anthropic] = ['x-ratelimit-', `anthropic-ratelimit-${what}-`]
  const left = fields.get(`${openai}remaining-${what}`) ?? fields.get(`${anthropic}remaining`)
  if (Number(left ?? 0) > 0) return undefined
  return (
    readReset(fields.get(`${openai}reset-${what}`), nowMs, 1000) ??
    readReset(fields.get(`${anthropic}reset`), nowMs, 1000)
  )
}

/** A span (`7`, `1s`, `6m0s`), or a point in time: HTTP date, RFC 3339, epoch seconds or ms. */
function readReset(value: string | null | undefined, nowMs: number, unitMs: number): number | undefined {
  const text = value?.trim() ?? ''
  // Date.parse takes nearly anything ("5, 7" is a day in May), so only the forms of HTTP and RFC 3339 are dates.
  if (HTTP_DATE.test(text) || TIMESTAMP.test(text)) return Date.parse(text) - nowMs
  if (DURATION.test(text)) return readSpan(text)
  // Of a header sent twice (joined by comma) the longer wait counts.
  const waits = text
    .split(',', 8)
    .map((part) => part.trim())
    .filter((part) => NUMBER.test(part))
  return waits.length === 0 ? undefined : Math.max(...waits.map((part) => fromNow(Number(part), nowMs, unitMs)))
}

function fromNow(value: number, nowMs: number, unitMs: number): number {
  if (value > EPOCH_MS_FROM) return value - nowMs
  return value > EPOCH_SECONDS_FROM ? value * 1000 - nowMs : value * unitMs
}

function readSpan(text: string): number {
  let total = 0
  for (const [, amount, unit = 's'] of text.matchAll(DURATION_PART)) {
    const lower = unit.toLowerCase()
    const unitMs = lower.startsWith('ms') || lower.startsWith('mil') ? 1 : (UNIT_MS[lower.charAt(0)] ?? 1000)
    total += Number(amount) * unitMs
  }
  return total
}

function fieldsIn(text: string): HeaderReader {
  const found = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(FIELD_IN_TEXT)) {
    const key = fieldName(name)
    // bounded: a value of at most 40 characters
    if (!found.has(key)) found.set(key, value.replace(/[.:+-]{1,40}$/, ''))
  }
  return found
}

function fromWords(text: string, nowMs: number): number | undefined {
  const timestamp = TIMESTAMP_IN_TEXT.exec(text)?.[1]
  if (timestamp !== undefined) return Date.parse(timestamp) - nowMs
  const span = SPAN_IN_TEXT.exec(text)?.[1]
  if (span !== undefined) return readSpan(span)
  const seconds = SECONDS_IN_TEXT.exec(text)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
