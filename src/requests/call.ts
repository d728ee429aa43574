import type { ErrorCode, ErrorExtras } from '../domain/errors.ts'
import { RecapdError } from '../domain/errors.ts'
import type { CallContext, PipelineDeps, ReadFrom } from '../pipelines/pipeline-context.ts'
import type { Emit } from '../pipelines/pipeline-event.ts'
import type { Answer } from './answer.ts'
import type { EndpointName } from './endpoints.ts'

/** One request, as it crosses into a worker: bytes and plain facts, never an object of the conversation. */
export interface WorkCall {
  /** `agent-call`: a request on its way to a provider, which may be a compaction call. */
  readonly endpoint: EndpointName | 'agent-call'
  readonly mediaType: 'json' | 'ndjson'
  readonly bytes: Uint8Array
  /** Values its JSON holds, as counted before it was parsed. */
  readonly values?: number | undefined
  /** Parameters of an ndjson request; repeated keys make lists. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly context: CallContext
  /** Only says whether this is a request that can be worked on: throws its faults; the answer is empty. */
  readonly isTrial?: boolean | undefined
}

/** A body before its schema, and what reading it found. */
export interface ReadBody {
  readonly body: unknown
  readonly warnings: readonly string[]
  readonly readFrom?: ReadFrom | undefined
  /** The prompt as it was spelled, where it was looked through and holds no conversation; the body then has its beginning alone. */
  readonly plainPrompt?: Uint8Array | undefined
}

/** What a call is run with, wherever it runs. */
export interface Running {
  readonly call: WorkCall
  readonly deps: PipelineDeps
  /** Its body, where it was read already; it does not cross. */
  readonly read?: ReadBody | undefined
  /** Hears the events of a call that is streamed. */
  readonly emit?: Emit | undefined
}

/** The whole pipeline of one call, wherever it runs. */
export type Execute = (running: Running, signal: AbortSignal) => Promise<Answer>

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
