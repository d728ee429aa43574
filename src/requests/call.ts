import type { ErrorCode, ErrorExtras } from '../domain/errors.ts'
import { RecapdError } from '../domain/errors.ts'
import type { CallContext, Emit, PipelineDeps } from '../pipelines/pipeline-context.ts'

export type EndpointName =
  | 'summarize'
  | 'chat-completions'
  | 'compact'
  | 'branch-summary'
  | 'check'
  | 'prune'
  | 'context'

/** Bodies and prompts over this leave the event loop (architecture.md). */
export const OFFLOAD_BYTES = 1_048_576

/** One request, as it crosses into a worker: bytes and plain facts, never an object of the conversation. */
export interface Call {
  readonly endpoint: EndpointName
  readonly mediaType: 'json' | 'ndjson'
  readonly bytes: Uint8Array
  /** Parameters of an ndjson request; repeated keys make lists. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly context: CallContext
}

/** The serialised answer: made once, where the work was done. */
export interface Answer {
  readonly json: string
  readonly cache?: 'hit' | 'miss' | 'coalesced'
  /** For the access log: which model answered. */
  readonly model?: string
}

/** The whole pipeline of one call, wherever it runs. */
export type Run = (call: Call, deps: PipelineDeps, signal: AbortSignal, emit?: Emit) => Promise<Answer>

/** An error as it crosses a thread; the cause stays behind, it is logged where it happened. */
export interface CrossedError {
  readonly code: ErrorCode
  readonly message: string
  readonly extras: Omit<ErrorExtras, 'cause'>
}

export function crossError(error: RecapdError): CrossedError {
  const { cause: _cause, ...extras } = error.extras
  return { code: error.code, message: error.message, extras }
}

export const uncrossError = ({ code, message, extras }: CrossedError): RecapdError =>
  new RecapdError(code, message, extras)
