import { z } from 'zod'
import { parseJson } from '../../../domain/parse-json.ts'
import { cleanAnswer } from '../../../domain/summary/clean-answer.ts'
import { verdict } from '../../../domain/summary/judge/judge-answer.ts'
import { type Completion, type CompletionRequest, NO_USAGE } from '../../model.ts'

// Read back from a store that other versions of this service may have written to.
const shape = z.object({
  text: z.string().min(1),
  model: z.string(),
  method: z.enum(['model', 'fold', 'moa', 'remote', 'extractive']),
  warnings: z.array(z.string()),
})

/** A stored answer as text: the summary and where it came from, never a prompt (docs/spec/models.md §9). */
export function packAnswer({ text, model, method, warnings }: Completion): string {
  return JSON.stringify({ text, model, method, warnings })
}

/**
 * A stored answer as it is given again: no attempts, no cost (docs/spec/models.md §5). It is judged like a new one, since others may
 * write to the store, too: undefined for what is not an answer (docs/spec/hostile.md §5).
 */
export function unpackAnswer(value: string, { expects = 'text' }: CompletionRequest): Completion | undefined {
  const { data } = shape.safeParse(parseJson(value))
  const text = cleanAnswer(data?.text ?? '')
  if (data === undefined || verdict(text, expects) !== 'ok') return undefined
  return { ...data, text, usage: NO_USAGE, truncated: false, degraded: false, attempts: [], calls: [] }
}
