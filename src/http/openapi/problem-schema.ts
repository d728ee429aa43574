import { z } from 'zod'
import { attemptRow } from '../../domain/attempt-row.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import type { Problem } from '../plugins/problem.ts'

/** The shape of every failure, for the API description and its tests. */
export const problemSchema = z.object({
  detail: z.string().describe('One sentence: what is wrong and what would mend it.'),
  code: z.enum(ERROR_CODES),
  status: z.int(),
  title: z.string(),
  type: z.string().describe('`/problems/<code>`, a page about it.'),
  instance: z.string().describe('`urn:request:<x-request-id>`.'),
  retryable: z.boolean(),
  errors: z.array(z.object({ path: z.string().describe('JSON pointer.'), message: z.string() })).optional(),
  attempts: z.array(attemptRow).optional(),
  retryAfterMs: z.number().optional(),
  state: z.string().optional().describe('Send it back with the next /compact.'),
  error: z
    .object({ message: z.string(), type: z.string(), code: z.string(), param: z.string().nullable() })
    .describe("The same in OpenAI's shape."),
}) satisfies z.ZodType<Problem>

/** A failure in the words of Anthropic's API (docs/spec/faces.md §2). */
export const anthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string(), code: z.enum(ERROR_CODES).describe('Our own.') }),
  request_id: z.string(),
})
