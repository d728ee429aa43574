import { errnoOf } from '../../domain/errno-of.ts'
import { parseJson } from '../../domain/parse-json.ts'
import { classify, type Failure, type FailureVerdict } from '../failures/classify.ts'
import { type Confidential, providerWords } from '../failures/provider-words.ts'
import { ModelError } from '../model-error.ts'
import type { ProviderResponse } from './provider-response.ts'

/** A provider answered, but without success. The whole body is kept: its message may stand anywhere in it. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`The provider answered ${failure.status}`)
    this.failure = failure
  }
}

/** How much of a refusal is read. */
const MOST_BYTES = 65_536

export async function responseError(response: ProviderResponse): Promise<ResponseError> {
  const { status, statusText, headers } = response
  // A body that breaks off still has a status in front of it, which says more than the break.
  const text = await response.text(MOST_BYTES).catch(() => 'unreadable')
  // omp-style servers put their hint into the reason phrase, where their own client reads it (docs/spec/sessions.md §11).
  const value = parseJson(text)
  const body = typeof value === 'object' && value !== null ? value : text.trim() === '' ? undefined : text
  return new ResponseError({ status, headers, body, message: statusText })
}

/** What a call threw, as classify.ts reads it. */
export function failureOf(thrown: unknown): Failure {
  return thrown instanceof ResponseError ? thrown.failure : connectionFailure(thrown)
}

/** An exception of the connection; where it wraps another one, that is what counts. */
function connectionFailure(thrown: unknown): Failure {
  const inner: unknown = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown
  if (!(inner instanceof Error)) return { message: String(inner) }
  return { code: errnoOf(inner), message: inner.message }
}

/** The failed attempt. No cause for an answer of the provider: its words may hold the prompt or a key. */
export function failedAttempt(
  { model, failure, nowMs, verdict = classify(failure, nowMs) }: FailedAttempt,
  confidential: Confidential,
): ModelError {
  const { status, code } = failure
  const said = providerWords(failure, confidential)
  return new ModelError(model, verdict.outcome, { status, code, said, retryAfterMs: verdict.retryAfterMs })
}

interface FailedAttempt {
  readonly model: string
  readonly failure: Failure
  readonly nowMs: number
  readonly verdict?: FailureVerdict
}
