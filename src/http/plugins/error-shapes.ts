import type { FastifyRequest } from 'fastify'
import type { Problem } from './problem.ts'

/** The shape of a failure: our own (with OpenAI's in it), Anthropic's or Gemini's. */
export type ErrorShape = 'problem' | 'anthropic' | 'gemini'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Shape of this route's errors; of the proxy it is the upstream that decides. */
    errorShape?: ErrorShape | ((request: FastifyRequest) => ErrorShape)
  }
}

const ANTHROPIC = /^\/v1\/messages(?:[/?]|$)/

export function shapeOf(request: FastifyRequest): ErrorShape {
  // Where there is no route, the address tells which API the caller speaks.
  const { errorShape = request.is404 && ANTHROPIC.test(request.url) ? 'anthropic' : 'problem' } =
    request.routeOptions.config
  return typeof errorShape === 'function' ? errorShape(request) : errorShape
}

/** A problem as the SDKs of each API read it; our own members stay where the SDKs ignore them. */
export const ERROR_SHAPES: Readonly<Record<ErrorShape, (problem: Problem) => object>> = {
  problem: (problem) => problem,
  anthropic: ({ detail, status, code, instance }) => ({
    type: 'error',
    error: { type: anthropicType(status), message: detail, code },
    request_id: instance.slice(instance.lastIndexOf(':') + 1),
  }),
  gemini: ({ detail, status, code }) => ({
    error: { code: status, message: detail, status: geminiStatus(status), details: [{ reason: code }] },
  }),
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  // No model can answer: nothing that the request could mend.
  424: 'api_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

const anthropicType = (status: number): string =>
  ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

const GEMINI_STATUSES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const geminiStatus = (status: number): string =>
  GEMINI_STATUSES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
