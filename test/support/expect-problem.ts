import { expect } from 'vitest'
import { z } from 'zod'
import type { ErrorCode } from '../../src/domain/errors.ts'
import { problemSchema } from '../../src/http/openapi/problem-schema.ts'

/** As fetch, inject and the raw client of raw-http.ts all can be read. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const strictProblem = z.strictObject(problemSchema.shape)

export type Problem = z.output<typeof problemSchema>

/** The one shape of every failure (docs/spec/contract.md §0): nothing is missing and nothing is added; the rest is the caller's to check. */
export function expectProblem(answer: Answered, status: number, code: ErrorCode): Problem {
  expect({ status: answer.status, body: answer.body.slice(0, 600) }).toMatchObject({ status })
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  const problem = strictProblem.parse(JSON.parse(answer.body))
  expect(problem).toMatchObject({ status, code, type: `/problems/${code}` })
  expect(problem.instance).toBe(`urn:request:${String(answer.headers['x-request-id'])}`)
  expect(problem.error).toMatchObject({ message: problem.detail, code })
  expect(answer.headers['x-should-retry']).toBe(problem.retryable ? undefined : 'false')
  if (status === 429 || status === 503) expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(answer.body).not.toMatch(/node_modules|\bat .+:\d+:\d+/)
  return problem
}
