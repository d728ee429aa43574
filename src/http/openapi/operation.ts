import type { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import type { ErrorShape } from '../plugins/error-shapes.ts'

/** One endpoint as openapi.yaml describes it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly operationId: string
  readonly tag: 'summaries' | 'sessions' | 'operations'
  readonly summary: string
  readonly description?: string
  readonly request?: z.ZodType
  readonly example?: unknown
  readonly ndjson?: boolean
  /** May be run as a job: 202. */
  readonly job?: boolean
  readonly parameters?: readonly object[]
  readonly response?: z.ZodType
  readonly responseType?: string
  /** Other statuses with a body like that of 200, and what they mean. */
  readonly alike?: Readonly<Record<number, string>>
  /** What a stream sends when `Accept: text/event-stream` asks for one. */
  readonly events?: string
  readonly cacheHeader?: boolean
  readonly access?: 'open'
  readonly problems: readonly ErrorCode[]
  /** The shape of failures; `problem` where nothing is said. */
  readonly errorShape?: ErrorShape
}

/** Problems any request at all can meet. */
export const ANY_PROBLEMS: readonly ErrorCode[] = [
  'invalid-request',
  'request-timeout',
  'expectation-failed',
  'headers-too-large',
  'internal',
]

/** Problems any work request can meet. */
export const COMMON_PROBLEMS: readonly ErrorCode[] = [
  'invalid-json',
  'unauthorized',
  'forbidden',
  'body-too-large',
  'body-too-complex',
  'unsupported-media-type',
  'unknown-model',
  'rate-limited',
  'overloaded',
  'draining',
  'deadline-exceeded',
]

/** Problems of a request that asks models. */
export const MODEL_PROBLEMS: readonly ErrorCode[] = [
  'nothing-fits',
  'models-unusable',
  'models-failed',
  'no-model-available',
]

/** Problems of the entries themselves. */
export const SESSION_PROBLEMS: readonly ErrorCode[] = ['unknown-leaf', 'broken-tree', 'no-entries']
