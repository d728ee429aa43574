import type { ErrorCode } from '../../domain/errors.ts'
import { PROBLEMS } from '../plugins/problems.ts'
import { headersOf } from './headers.ts'
import type { Json } from './json-schema.ts'
import { ANY_PROBLEMS, type Operation } from './operation.ts'

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
const ANTHROPIC = { 'application/json': { schema: { $ref: '#/components/schemas/AnthropicError' } } }

/** Answered before the caller's API is known: the request itself could not be read. */
const UNREAD: ReadonlySet<number> = new Set([400, 408, 431])

/** One response a status; its codes are named in the description. */
export function problemResponses(operation: Operation): Json {
  const { problems, alike = {} } = operation
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...ANY_PROBLEMS, ...problems])) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !(status in alike))
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [String(status), responseOf(operation, status, codes)]),
  )
}

function responseOf(operation: Operation, status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: headersOf(operation, status, codes),
    content: contentOf(operation, status),
  }
}

function contentOf({ errorShape = 'problem' }: Operation, status: number): Json {
  if (errorShape !== 'anthropic') return PROBLEM
  return UNREAD.has(status) ? { ...ANTHROPIC, ...PROBLEM } : ANTHROPIC
}
