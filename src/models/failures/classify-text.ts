import type { AttemptOutcome } from '../model.ts'
import { classify, isPassing } from './classify.ts'

/** What `/check` tells an agent about its own provider's error (docs/spec/contract.md §5). */
export interface FailureClass {
  readonly class: Exclude<AttemptOutcome, 'ok'>
  readonly isOverflow: boolean
  readonly retryable: boolean
  readonly retryAfterMs: number | null
}

const STATUS_IN_TEXT =
  /^\s{0,20}(?:error:?\s{0,4})?([45]\d\d)\b|\((\d{3})\b|\b(?:http|(?:status|error)(?: code)?)[ :=/]{0,4}([45]\d\d)\b|\b(429|50[0234]|529)\b/i
const ABORTED = /\babort(?:ed)?\b|\bcancell?ed\b/i
/** `AbortSignal.timeout` puts it this way: nobody gave up, the time was over. */
const TIMED_OUT = /aborted due to (?:a )?timeout|econnaborted/i
const NO_BODY = /^\s{0,20}(?:error:?\s{0,4})?4(?:00|13)\b[^\n]{0,40}\(no body\)/i
/** A status stands in front; the rest of a long text is not searched for one. */
const HEAD_CHARACTERS = 2_000

/** The same judge for an error text an agent has: everything, the status included, may stand in the text alone. */
export function classifyText(error: { message: string; status?: number | undefined }, nowMs: number): FailureClass {
  const { message } = error
  const head = message.slice(0, HEAD_CHARACTERS)
  const status = error.status ?? statusIn(head)
  const isBlank = message.trim() === ''
  const isAborted = status === undefined && ABORTED.test(head) && !TIMED_OUT.test(head)
  const body = isBlank || NO_BODY.test(head) ? undefined : { message }
  const { outcome, retryAfterMs = null } = isAborted
    ? { outcome: 'aborted' as const }
    : classify({ status, body }, nowMs)
  return { class: outcome, isOverflow: outcome === 'overflow', retryable: isPassing(outcome), retryAfterMs }
}

function statusIn(head: string): number | undefined {
  const match = STATUS_IN_TEXT.exec(head)
  const found = Number(match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4])
  return found >= 400 && found < 600 ? found : undefined
}
