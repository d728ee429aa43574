import { z } from 'zod'
import { type Completion, NO_USAGE } from '../../model.ts'

// Read back from a store that other versions of this service may have written to.
const shape = z.object({
  text: z.string().min(1),
  model: z.string(),
  method: z.enum(['model', 'fold', 'moa', 'remote', 'extractive']),
  warnings: z.array(z.string()),
})

/** A stored answer as text: the summary and where it came from, never a prompt (models.md §9). */
export function packAnswer({ text, model, method, warnings }: Completion): string {
  return JSON.stringify({ text, model, method, warnings })
}

/** A stored answer as it is given again: no attempts, no cost (models.md §5). Undefined for what is none. */
export function unpackAnswer(value: string): Completion | undefined {
  const { data } = shape.safeParse(parsed(value))
  return data && { ...data, usage: NO_USAGE, truncated: false, degraded: false, attempts: [], calls: [] }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
