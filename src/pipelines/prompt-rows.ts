import { z } from 'zod'
import { textTokens } from '../domain/tokens/text-tokens.ts'
import type { SelectedModel } from '../models/model.ts'
import { type Prompt, promptTokens } from '../models/prompt.ts'

/** One prompt of a dry run. */
export const promptRow = z.object({
  kind: z.string(),
  tokens: z.int(),
  model: z.string(),
  estimatedCostUsd: z
    .number()
    .optional()
    .describe("At the first candidate's prices, with its whole output cap used: never less than the bill."),
})

export type PromptRow = z.output<typeof promptRow>

interface WouldSend {
  readonly kind: string
  readonly system: string
  readonly prompt: Prompt
  /** Output cap. */
  readonly maxTokens: number
}

/** What a dry run would have sent: sizes and prices, no text. */
export function promptRows(specs: readonly (WouldSend | undefined)[], { candidates }: SelectedModel): PromptRow[] {
  const [{ id, price }] = candidates
  return specs.flatMap((spec) => {
    if (spec === undefined) return []
    const tokens = textTokens(spec.system) + promptTokens(spec.prompt)
    const estimatedCostUsd =
      price === undefined ? undefined : (tokens * price.input + spec.maxTokens * price.output) / 1e6
    return [{ kind: spec.kind, tokens, model: id, estimatedCostUsd }]
  })
}
