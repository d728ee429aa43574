import type { AttemptRow } from './attempt-row.ts'

/**
 * Every code a caller can read in a problem answer (http-api §0). A closed union: a new code needs a row in
 * `http/plugins/problems.ts`, and the compiler says so.
 */
export type ErrorCode =
  | 'invalid-json'
  | 'invalid-request'
  | 'request-timeout'
  | 'headers-too-large'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'compaction-in-progress'
  | 'attempts-exhausted'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'unknown-leaf'
  | 'unknown-target'
  | 'unknown-model'
  | 'broken-tree'
  | 'no-entries'
  | 'nothing-fits'
  | 'rate-limited'
  | 'internal'
  | 'models-unusable'
  | 'models-failed'
  | 'overloaded'
  | 'draining'
  | 'no-model-available'
  | 'deadline-exceeded'
  | 'client-closed'

/** One schema fault: where it is (JSON pointer) and what was expected. Never the value itself. */
export interface Fault {
  readonly path: string
  readonly message: string
}

/** Everything beside the code and the sentence that a problem answer may carry. */
export interface ErrorExtras {
  readonly cause?: unknown
  /** For our log only; never reaches a caller. Must hold no conversation text and no key either. */
  readonly internal?: string
  readonly errors?: readonly Fault[]
  /** What was tried, in order (models.md §2). */
  readonly attempts?: readonly AttemptRow[]
  readonly retryAfterMs?: number | undefined
  /** Opaque state the caller sends back, so that a failed pass can start a cooldown (http-api §3). */
  readonly state?: string
  readonly allow?: readonly string[]
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
