import type { Outcome } from '../model.ts'
import { BY_CODE, BY_STATUS, BY_TEXT, NOT_OVERFLOW, OVERFLOW } from './classify-patterns.ts'
import { type FailureBody, readFailureBody } from './failure-body.ts'
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

export interface Verdict {
  readonly outcome: Exclude<Outcome, 'ok'>
  readonly retryAfterMs?: number
}

/** What `/check` tells an agent about its own provider's error (http-api §5). */
export interface FailureClass {
  readonly class: Exclude<Outcome, 'ok'>
  readonly isOverflow: boolean
  readonly retryable: boolean
  readonly retryAfterMs: number | null
}

const PASSING: ReadonlySet<Outcome> = new Set(['timeout', 'network', 'server_error', 'bad_response', 'rate_limited'])
const LEADING_STATUS =
  /^\s*(?:error:?\s*)?([45]\d\d)\b|\((\d{3})\b|\b(?:http|status(?: code)?)[ :=/]*([45]\d\d)\b|\b(429|50[0234]|529)\b/i
const ABORTED = /\babort(?:ed)?\b|\bcancell?ed\b/i
const NO_BODY = /^\s*(?:error:?\s*)?4(?:00|13)\b.{0,40}\(no body\)/i

/** The one table: status first, then machine words, message text last (models.md §2, §10). */
export function classify(failure: Failure, nowMs: number): Verdict {
  const body = readFailureBody(failure.body)
  const text = failure.message ? `${body.text}\n${failure.message}` : body.text
  const retryAfterMs = retryHint({ headers: failure.headers, text }, nowMs)
  const outcome = outcomeOf(failure, body, text, retryAfterMs)
  return retryAfterMs === undefined ? { outcome } : { outcome, retryAfterMs }
}

/** Whether asking the same model again can help (the first row of models.md §2's table). */
export function isPassing(outcome: Outcome): boolean {
  return PASSING.has(outcome)
}

/** The same table for an error text an agent has: everything, the status included, may stand in the text alone. */
export function classifyFailure(error: { message: string; status?: number | undefined }, nowMs: number): FailureClass {
  const { message } = error
  const match = error.status === undefined ? LEADING_STATUS.exec(message) : null
  const found = Number(match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4])
  const status = error.status ?? (found >= 400 && found < 600 ? found : undefined)
  const body = NO_BODY.test(message) || message.trim() === '' ? undefined : { message: bodyOf(message) }
  const verdict =
    status === undefined && ABORTED.test(message)
      ? ({ outcome: 'aborted' } as const)
      : classify({ status, body }, nowMs)
  return {
    class: verdict.outcome,
    isOverflow: verdict.outcome === 'overflow',
    retryable: isPassing(verdict.outcome),
    retryAfterMs: 'retryAfterMs' in verdict ? (verdict.retryAfterMs ?? null) : null,
  }
}

/** SDKs write `400 {json}`: the JSON part has the machine words. */
function bodyOf(message: string): unknown {
  const start = message.indexOf('{')
  return start > 0 && start < 80 ? [message.slice(0, start), message.slice(start)] : message
}

function outcomeOf(
  failure: Failure,
  body: FailureBody,
  text: string,
  retryAfterMs: number | undefined,
): Verdict['outcome'] {
  const status = failure.status === undefined || failure.status < 300 ? body.status : failure.status
  const codes = failure.code === undefined ? body.codes : [failure.code.toLowerCase(), ...body.codes]
  const byCode = firstKnown(codes)
  if (status === 429) return limitOf(byCode, text, retryAfterMs)
  // A gateway may wrap an overflow as a connection error or a 500: its text beats the class (bug-log B176).
  if (status !== 401 && status !== 402 && (byCode === 'overflow' || isOverflowText(text))) return 'overflow'
  if (status === 403) return byText(text, ['quota', 'refused']) ?? 'auth'
  const byStatus = status === undefined ? undefined : BY_STATUS.get(status)
  if (byStatus !== undefined) return byStatus
  if (status !== undefined && status >= 300 && status < 400) return 'not_found'
  if (status === 400 && failure.body === undefined) return 'overflow' // Cerebras: 400 without a body
  if (status !== undefined && status >= 500) return 'server_error'
  if (byCode !== undefined) return byCode
  const named = byText(text)
  if (named !== undefined) return named
  if (status !== undefined) return 'bad_request'
  // Without a status it is either the words of a stream or a 200, or an exception of the connection.
  return failure.body === undefined ? 'network' : 'server_error'
}

/** 429 is never overflow. Quota words with a hint are the per-minute limit of Gemini, which uses the same sentence. */
function limitOf(
  byCode: Outcome | undefined,
  text: string,
  retryAfterMs: number | undefined,
): 'quota' | 'rate_limited' {
  if (byCode === 'quota') return 'quota'
  return retryAfterMs === undefined && byText(text, ['quota']) !== undefined ? 'quota' : 'rate_limited'
}

function firstKnown(codes: readonly string[]): Verdict['outcome'] | undefined {
  for (const code of codes) {
    const outcome = BY_CODE.get(code)
    if (outcome !== undefined) return outcome
  }
  return undefined
}

function isOverflowText(text: string): boolean {
  return OVERFLOW.some((pattern) => pattern.test(text)) && !NOT_OVERFLOW.test(text)
}

function byText(text: string, only?: readonly Outcome[]): Verdict['outcome'] | undefined {
  for (const [outcome, pattern] of BY_TEXT) {
    if ((only === undefined || only.includes(outcome)) && pattern.test(text)) return outcome
  }
  return undefined
}
