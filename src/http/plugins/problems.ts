import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errnoOf } from '../../domain/errno-of.ts'
import { asRecapdError, type ErrorCode, RecapdError } from '../../domain/errors.ts'
import { stackFrames } from '../../requests/stack-frames.ts'
import { ERROR_SHAPES, shapeOf } from './error-shapes.ts'
import type { Problem } from './problem.ts'

interface ProblemRow {
  readonly status: number
  readonly title: string
  /** May the same request succeed later without being changed? */
  readonly retryable: boolean
}

/** THE table of status codes (docs/spec/contract.md §0); nobody else in the house knows one. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemRow>> = {
  'invalid-json': { status: 400, title: 'The body is not JSON', retryable: false },
  'invalid-request': { status: 400, title: 'The request does not fit its schema', retryable: false },
  unauthorized: { status: 401, title: 'A valid key is needed', retryable: false },
  forbidden: { status: 403, title: 'This key may not do that', retryable: false },
  'not-found': { status: 404, title: 'Nothing is here', retryable: false },
  'method-not-allowed': { status: 405, title: 'Another method is needed', retryable: false },
  'request-timeout': { status: 408, title: 'The request did not arrive in time', retryable: true },
  'compaction-in-progress': { status: 409, title: 'This session is being compacted', retryable: true },
  'attempts-exhausted': { status: 409, title: 'No attempt is left', retryable: false },
  'body-too-large': { status: 413, title: 'The body is too large', retryable: false },
  'body-too-complex': { status: 413, title: 'The body holds too many values', retryable: false },
  'unsupported-media-type': { status: 415, title: 'The media type is not supported', retryable: false },
  'expectation-failed': { status: 417, title: 'The expectation cannot be met', retryable: false },
  'unknown-leaf': { status: 422, title: 'The leaf is not in the entries', retryable: false },
  'unknown-target': { status: 422, title: 'The target is not in the entries', retryable: false },
  'unknown-model': { status: 422, title: 'The model is not configured', retryable: false },
  'broken-tree': { status: 422, title: 'The entries do not form a tree', retryable: false },
  'no-entries': { status: 422, title: 'There is no entry to work on', retryable: false },
  'nothing-fits': { status: 422, title: 'No model can hold this prompt', retryable: false },
  'idempotency-mismatch': { status: 422, title: 'The key was used for another request', retryable: false },
  'stored-elsewhere': { status: 422, title: 'Part of the conversation is not here', retryable: false },
  'models-unusable': { status: 424, title: 'No model can answer until the configuration is fixed', retryable: false },
  'upgrade-required': { status: 426, title: 'HTTP is spoken here', retryable: false },
  'rate-limited': { status: 429, title: 'Too many requests', retryable: true },
  'budget-exhausted': { status: 429, title: 'The budget of this key is used up', retryable: true },
  'headers-too-large': { status: 431, title: 'The headers are too large', retryable: false },
  'client-closed': { status: 499, title: 'The client went away', retryable: false },
  internal: { status: 500, title: 'A fault of this service', retryable: false },
  'models-failed': { status: 502, title: 'Every model failed', retryable: true },
  'upstream-unreachable': { status: 502, title: 'The upstream did not answer', retryable: true },
  overloaded: { status: 503, title: 'Too much work at once', retryable: true },
  draining: { status: 503, title: 'Shutting down', retryable: true },
  'no-model-available': { status: 503, title: 'No model is available just now', retryable: true },
  'deadline-exceeded': { status: 504, title: 'The deadline passed', retryable: true },
}

/** Hint in whole seconds where nothing better is known. */
const DEFAULT_RETRY_AFTER_SECONDS = 5

/** The cause stands in the first 200 characters. */
export function problemOf(error: RecapdError, requestId: string): Problem {
  const { status, title, retryable } = PROBLEMS[error.code]
  const { errors, attempts, retryAfterMs, state } = error.extras
  return {
    detail: error.message,
    code: error.code,
    status,
    title,
    type: `/problems/${error.code}`,
    instance: `urn:request:${requestId}`,
    retryable,
    errors,
    attempts,
    retryAfterMs,
    state,
    error: { message: error.message, type: openaiType(status), code: error.code, param: errors?.[0]?.path ?? null },
  }
}

function openaiType(status: number): string {
  if (status === 401 || status === 403) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** Headers a problem brings along; a 429 or 503 says when to come back, in the reason phrase too (omp reads only that). */
export function problemHeaders(error: RecapdError): { headers: Record<string, string>; reason?: string } {
  const { status, retryable } = PROBLEMS[error.code]
  const headers: Record<string, string> = {}
  if (!retryable) headers['x-should-retry'] = 'false'
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="recapd"'
  if (error.extras.allow !== undefined) headers['allow'] = error.extras.allow.join(', ')
  if (status !== 429 && status !== 503) return { headers }
  const seconds = retryAfterSeconds(error)
  headers['retry-after'] = String(seconds)
  return { headers, reason: `${status === 429 ? 'Too Many Requests' : 'Service Unavailable'} retry-after=${seconds};` }
}

function retryAfterSeconds(error: RecapdError): number {
  const hintMs = error.extras.retryAfterMs
  return hintMs === undefined ? DEFAULT_RETRY_AFTER_SECONDS : Math.max(1, Math.ceil(hintMs / 1000))
}

/** Sends the one shape of every failure. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: RecapdError): FastifyReply {
  const { headers, reason } = problemHeaders(error)
  if (reason !== undefined) reply.raw.statusMessage = reason
  request.problem = error.code
  const shape = shapeOf(request)
  return reply
    .code(PROBLEMS[error.code].status)
    .headers(headers)
    .header('content-type', shape === 'problem' ? 'application/problem+json' : 'application/json')
    .serializer((text: string) => text)
    .send(JSON.stringify(ERROR_SHAPES[shape](problemOf(error, request.id))))
}

/** What Fastify and its plugins throw, in our words. */
const FOREIGN: Readonly<Record<string, () => RecapdError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
}

export const unsupportedMediaType = (): RecapdError =>
  new RecapdError(
    'unsupported-media-type',
    'This endpoint takes application/json (session endpoints application/x-ndjson too); set content-type.',
  )

/** Fastify's errors as ours; everything else as `asRecapdError` has it. */
function inOurWords(thrown: unknown): RecapdError {
  const code = errnoOf(thrown)
  const known = code === undefined ? undefined : FOREIGN[code]
  return known === undefined ? asRecapdError(thrown) : known()
}

/** The failure of a request, as it is answered and logged; also for answers that are already streams. */
export function failedWith(request: FastifyRequest, thrown: unknown): RecapdError {
  const error = inOurWords(thrown)
  if (error.code === 'internal') request.log.error({ err: faultOf(error) }, 'internal fault')
  request.problem = error.code
  return error
}

/** Registers the only error handler of the house. */
export function registerProblems(app: FastifyInstance): void {
  app.decorateRequest('problem', undefined)
  app.setErrorHandler((thrown: unknown, request, reply) => {
    const error = failedWith(request, thrown)
    // Fastify closes the connection when a body was not read to its end; collect.ts reads on instead.
    reply.removeHeader('connection')
    return sendProblem(request, reply, error)
  })
}

const faultOf = ({ cause }: RecapdError): { type: string; stack: string } => ({
  type: cause instanceof Error ? cause.name : typeof cause,
  stack: stackFrames(cause),
})

declare module 'fastify' {
  interface FastifyRequest {
    problem: ErrorCode | undefined
  }
}
