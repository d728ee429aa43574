/** The part of `Headers` a hint is read from. */
export interface HeaderReader {
  get(name: string): string | null
}

export interface HintSource {
  readonly headers?: HeaderReader | undefined
  /** Message, reason phrase and body of the failure; only its words for a wait are looked at. */
  readonly text?: string
}

const DAY_MS = 86_400_000
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/
const DURATION_PART = /(\d+(?:\.\d+)?)\s*(milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|[smhd])/gi
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, s: 1000, h: 3_600_000, d: DAY_MS }

/** Numbers over these are points in time, not spans (omp-spec §14). */
const EPOCH_SECONDS_FROM = 1e9
const EPOCH_MS_FROM = 1e12

const TEXT_MS = /retry-after-ms["']?\s*[:=]\s*["']?(-?\d+(?:\.\d+)?)/i
const TEXT_DATE = /retry-after["']?\s*[:=]\s*["']?([A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)/i
const TEXT_SECONDS = /retry-after["']?\s*[:=]\s*["']?(-?\d+(?:\.\d+)?)/i
const TEXT_RESET_MS = /x-ratelimit-reset-ms["']?\s*[:=]\s*["']?(-?\d+(?:\.\d+)?)/i
const TEXT_RESET = /x-ratelimit-reset["']?\s*[:=]\s*["']?(-?\d+(?:\.\d+)?)/i
const TEXT_RETRY_DELAY = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?(?:ms|s|m|h))"/
const UNIT = '(?:milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|[smhd])'
const TEXT_SPAN = new RegExp(
  `\\b(?:try again|retry|reset)\\s+(?:in|after)\\s+(\\d+(?:\\.\\d+)?(?:\\s?${UNIT}\\b|${UNIT}(?:\\d+(?:\\.\\d+)?${UNIT}){1,4})?)`,
  'i',
)

/**
 * How long the provider asks us to wait, in ms from `nowMs`, or undefined. First match wins (models.md §3); negative is
 * 0, junk is no hint, and more than a day is a day.
 */
export function retryHint(source: HintSource, nowMs: number): number | undefined {
  const hint = fromHeaders(source.headers, nowMs) ?? fromText(source.text ?? '', nowMs)
  return hint === undefined ? undefined : Math.min(Math.max(0, Math.round(hint)), DAY_MS)
}

/** Nobody waits for such a hint: over maxDelayMs, or past the deadline. The key rests instead (models.md §3). */
export function isLongHint(hintMs: number | undefined, limits: { maxDelayMs: number; leftMs: number }): boolean {
  return hintMs !== undefined && (hintMs > limits.maxDelayMs || hintMs > limits.leftMs)
}

function fromHeaders(headers: HeaderReader | undefined, nowMs: number): number | undefined {
  if (headers === undefined) return undefined
  return (
    readNumber(headers.get('retry-after-ms'), (value) => value) ??
    readAfter(headers.get('retry-after'), nowMs) ??
    readReset(headers.get('x-ratelimit-reset-ms'), nowMs, 1) ??
    readLimit(headers, 'requests', nowMs) ??
    readLimit(headers, 'tokens', nowMs) ??
    readReset(headers.get('x-ratelimit-reset'), nowMs, 1000) ??
    readReset(headers.get('x-ratelimit-reset-after'), nowMs, 1000)
  )
}

/** Providers send both limits with every answer; the one that still has some left is not what we wait for. */
function readLimit(headers: HeaderReader, what: 'requests' | 'tokens', nowMs: number): number | undefined {
  if (Number(headers.get(`x-ratelimit-remaining-${what}`)) > 0) return undefined
  return readReset(headers.get(`x-ratelimit-reset-${what}`), nowMs, 1000)
}

function readAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  // Date.parse takes nearly anything ("5, 7" is a day in May), so only the one form of HTTP is a date.
  if (HTTP_DATE.test(value.trim())) return Date.parse(value) - nowMs
  return readReset(value, nowMs, 1000)
}

/** A span (`7`, `1s`, `6m0s`), or a point in time as epoch seconds or ms. */
function readReset(value: string | null, nowMs: number, unitMs: number): number | undefined {
  const text = value?.trim() ?? ''
  if (DURATION.test(text)) return readSpan(text)
  return readNumber(value, (number) => {
    if (number > EPOCH_MS_FROM) return number - nowMs
    return number > EPOCH_SECONDS_FROM ? number * 1000 - nowMs : number * unitMs
  })
}

/** Of a header sent twice (joined by comma) the longer wait counts. */
function readNumber(value: string | null, toMs: (value: number) => number): number | undefined {
  if (value === null) return undefined
  const waits = value.split(',').map((part) => part.trim())
  const valid = waits.filter((part) => NUMBER.test(part)).map((part) => toMs(Number(part)))
  return valid.length === 0 ? undefined : Math.max(...valid)
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

function fromText(text: string, nowMs: number): number | undefined {
  const date = TEXT_DATE.exec(text)?.[1]
  const span = TEXT_RETRY_DELAY.exec(text)?.[1] ?? TEXT_SPAN.exec(text)?.[1]
  return (
    readNumber(TEXT_MS.exec(text)?.[1] ?? null, (value) => value) ??
    (date === undefined ? undefined : Date.parse(date) - nowMs) ??
    readReset(TEXT_SECONDS.exec(text)?.[1] ?? null, nowMs, 1000) ??
    readReset(TEXT_RESET_MS.exec(text)?.[1] ?? null, nowMs, 1) ??
    readReset(TEXT_RESET.exec(text)?.[1] ?? null, nowMs, 1000) ??
    (span === undefined ? undefined : NUMBER.test(span) ? Number(span) * 1000 : readSpan(span))
  )
}
