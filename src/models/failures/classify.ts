import type { AttemptOutcome } from '../model.ts'
import { type FailureBody, MAX_TEXT, readFailureBody } from './failure-body.ts'
import {
  BY_CODE,
  BY_STATUS,
  BY_TEXT,
  LIMIT_AND_REQUESTED,
  MONEY,
  NOT_OVERFLOW,
  OVERFLOW,
  PER_DAY,
  PER_MINUTE,
  PLAN,
  PLAN_CODES,
  RATE,
  REFUSED,
} from './failure-table.ts'
import { type HeaderReader, retryHint } from './retry-hint.ts'

/** A failure as it arrived: an HTTP answer, an `error` object of a 200, a stream event, or an exception. */
export interface Failure {
  readonly status?: number | undefined
  readonly headers?: HeaderReader | undefined
  /** Parsed error body, or its text. Absent or blank: the answer had no body. */
  readonly body?: unknown
  /** Errno or undici code of an exception. */
  readonly code?: string | undefined
  /** Reason phrase or message of an exception. */
  readonly message?: string | undefined
}

export interface FailureVerdict {
  readonly outcome: Exclude<AttemptOutcome, 'ok'>
  readonly retryAfterMs?: number | undefined
}

const PASSING: ReadonlySet<AttemptOutcome> = new Set([
  'timeout',
  'network',
  'server_error',
  'bad_response',
  'rate_limited',
])
/** Links to a provider's pages have words in them that say nothing of this failure. */
const LINK = /https?:\/\/[^\s"')]{1,500}/g
/** A stated wait no longer than this makes any limit a momentary one (docs/spec/models.md §2). */
const SHORT_WAIT_MS = 3_600_000

/** The one judge: status first, then machine words, sentences last (docs/spec/models.md §2, §10). */
export function classify(failure: Failure, nowMs: number): FailureVerdict {
  const body = readFailureBody(failure.body)
  const text = failure.message ? `${body.text}\n${failure.message.slice(0, MAX_TEXT)}` : body.text
  const retryAfterMs = retryHint({ headers: failure.headers, fields: body.fields, text }, nowMs)
  const outcome = outcomeOf(failure, { body, text: text.replace(LINK, '') }, retryAfterMs)
  return { outcome, retryAfterMs }
}

/** Whether asking the same model again can help (the first row of docs/spec/models.md §2's table). */
export function isPassing(outcome: AttemptOutcome): boolean {
  return PASSING.has(outcome)
}

function outcomeOf(
  failure: Failure,
  { body, text }: { readonly body: FailureBody; readonly text: string },
  retryAfterMs: number | undefined,
): FailureVerdict['outcome'] {
  const status = failure.status === undefined || failure.status < 300 ? body.status : failure.status
  const codes = failure.code === undefined ? body.codes : [failure.code.toLowerCase(), ...body.codes]
  const byCode = outcomeOfCodes(codes)
  if (status !== 429 && status !== 402 && asksForMoreThanItsLimit(text)) return 'overflow'
  const limit = limitOf(codes, text, retryAfterMs)
  if (limit === 'quota' || limit === 'per-minute') return limit === 'quota' ? 'quota' : 'rate_limited'
  // 429 is never an overflow.
  if (status === 429) return 'rate_limited'
  // A gateway may wrap an overflow as a connection error or a 500: its text beats the class (docs/bug-log.md B176).
  if (status !== 402 && (byCode === 'overflow' || isOverflowText(text))) return 'overflow'
  if (status === undefined || status < 500) {
    if (limit === 'rate' && status !== 401 && status !== 404) return 'rate_limited'
    if (status !== 404 && (byCode === 'refused' || REFUSED.test(text))) return 'refused'
  }
  return byStatus(failure, status) ?? byCode ?? byText(text) ?? unknown(failure, status)
}

function byStatus(failure: Failure, status: number | undefined): FailureVerdict['outcome'] | undefined {
  if (status === undefined) return undefined
  const known = BY_STATUS.get(status)
  if (known !== undefined) return known
  if (status >= 300 && status < 400) return 'not_found'
  if (status === 400 && failure.body === undefined) return 'overflow' // Cerebras: 400 without a body
  return status >= 500 ? 'server_error' : undefined
}

/** Without a status it is either the words of a stream or a 200, or an exception of the connection. */
function unknown(failure: Failure, status: number | undefined): FailureVerdict['outcome'] {
  if (status !== undefined) return 'bad_request'
  return failure.body === undefined ? 'network' : 'server_error'
}

/**
 * What kind of limit is spoken of (docs/spec/models.md §2): money is quota whatever else is said; a limit per minute is
 * momentary whatever else is said; one per day or of a plan is quota, unless a wait of at most an hour is stated.
 */
function limitOf(
  codes: readonly string[],
  text: string,
  retryAfterMs: number | undefined,
): 'quota' | 'per-minute' | 'rate' | undefined {
  const isMoney = codes.some((code) => BY_CODE.get(code) === 'quota' && !PLAN_CODES.has(code))
  if (isMoney || MONEY.some((pattern) => pattern.test(text))) return 'quota'
  if (PER_MINUTE.test(text)) return 'per-minute'
  const isRate = RATE.test(text)
  // "You exceeded your rate limit" has the words of a plan, too; what it is a rate of decides.
  const isLong = isRate ? PER_DAY.test(text) || /\bquota\b/i.test(text) : PLAN.test(text)
  if (!isLong && !codes.some((code) => PLAN_CODES.has(code))) return isRate ? 'rate' : undefined
  return retryAfterMs !== undefined && retryAfterMs <= SHORT_WAIT_MS ? 'per-minute' : 'quota'
}

/** Waiting cannot help a request that is larger than the limit itself. */
function asksForMoreThanItsLimit(text: string): boolean {
  const [, limit = '', requested = ''] = LIMIT_AND_REQUESTED.exec(text) ?? []
  const count = (digits: string) => Number(digits.replaceAll(',', ''))
  return limit !== '' && count(requested) > count(limit)
}

/** The first that says something; "server error" and the like stand beside better words. */
function outcomeOfCodes(codes: readonly string[]): FailureVerdict['outcome'] | undefined {
  const outcomes = codes.flatMap((code) => BY_CODE.get(code) ?? [])
  if (outcomes.includes('overflow')) return 'overflow'
  return outcomes.find((outcome) => outcome !== 'server_error') ?? outcomes[0]
}

function isOverflowText(text: string): boolean {
  return OVERFLOW.some((pattern) => pattern.test(text)) && !NOT_OVERFLOW.some((pattern) => pattern.test(text))
}

function byText(text: string): FailureVerdict['outcome'] | undefined {
  return BY_TEXT.find(([, pattern]) => pattern.test(text))?.[0]
}
