import type { AttemptRow } from './attempt-row.ts'

/**
 * Every code a caller can read in a problem answer (docs/spec/contract.md §0), by its status. A closed union: a new code needs a row in
 * `http/plugins/problems.ts`, and the compiler says so.
 */
export const ERROR_CODES = [
  'invalid-json',
  'invalid-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'method-not-allowed',
  'request-timeout',
  'compaction-in-progress',
  'attempts-exhausted',
  'body-too-large',
  'body-too-complex',
  'unsupported-media-type',
  'expectation-failed',
  'unknown-leaf',
  'unknown-target',
  'unknown-model',
  'broken-tree',
  'no-entries',
  'nothing-fits',
  'idempotency-mismatch',
  'stored-elsewhere',
  'models-unusable',
  'upgrade-required',
  'rate-limited',
  'budget-exhausted',
  'headers-too-large',
  'client-closed',
  'internal',
  'models-failed',
  'upstream-unreachable',
  'overloaded',
  'draining',
  'no-model-available',
  'deadline-exceeded',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

const CODES: ReadonlySet<string> = new Set(ERROR_CODES)
export const isErrorCode = (code: string): code is ErrorCode => CODES.has(code)

/** One schema fault: where it is (JSON pointer) and what was expected. Never the value itself. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** Everything beside the code and the sentence that a problem answer may carry. */
export interface ErrorExtras {
  readonly cause?: unknown
  readonly errors?: readonly Fault[] | undefined
  /** Rows of `attempts` (docs/spec/models.md §2). */
  readonly attempts?: readonly AttemptRow[] | undefined
  readonly retryAfterMs?: number | undefined
  /** Opaque state the caller sends back, so that a failed pass can start a cooldown (docs/spec/contract.md §3). */
  readonly state?: string | undefined
  readonly allow?: readonly string[] | undefined
}

/**
 * The one error class of the house. `message` is public: one sentence that says what is wrong and what would mend it,
 * without conversation text, keys or stack. Status codes are not its business (`http/plugins/problems.ts` has the table).
 */
export class RecapdError extends Error {
  override readonly name = 'RecapdError'
  readonly code: ErrorCode
  readonly extras: ErrorExtras

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.code = code
    this.extras = extras
  }
}

/** Any throw as an error of ours: what nobody foresaw is `internal`, says nothing of itself, and is logged where it happened. */
export const asRecapdError = (thrown: unknown): RecapdError =>
  thrown instanceof RecapdError
    ? thrown
    : new RecapdError(
        'internal',
        'This is a fault of recapd, not of your request; it was logged under the request id.',
        {
          cause: thrown,
        },
      )
