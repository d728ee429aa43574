import { summariseExtractively } from '../domain/extractive/summarise-extractively.ts'
import { type FoldInput, type FoldPlan, planFold } from '../domain/transcript/fold-plan.ts'

const decoder = new TextDecoder()

/** A prompt over 1 MiB, transferred as bytes, summarised without a language model in this thread. */
export function extract({ bytes, maxTokens }: { bytes: Uint8Array; maxTokens: number | undefined }): string {
  return summariseExtractively({ prompt: decoder.decode(bytes), maxTokens })
}

/** How such a prompt is cut into parts; only the parts go back. */
export function plan({ bytes, ...rest }: Omit<FoldInput, 'prompt'> & { bytes: Uint8Array }): FoldPlan {
  return planFold({ ...rest, prompt: decoder.decode(bytes) })
}
