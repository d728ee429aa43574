import type { z } from 'zod'
import { type Fault, RecapdError } from '../domain/errors.ts'
import { jsonPointer } from '../domain/json-pointer.ts'

/** Validates a body; every schema fault is listed with its JSON pointer, none with the value (docs/spec/contract.md §0). */
export function parseRequest<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(faultOf)
  const first = errors[0]
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new RecapdError(
    'invalid-request',
    `${first?.path === '' ? 'The body' : first?.path}: ${first?.message}${more}.`,
    { errors },
  )
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  return { path: jsonPointer(issue.path), message: issue.message }
}
