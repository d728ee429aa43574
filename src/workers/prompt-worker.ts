import { summarizeExtractively } from '../domain/extractive/summarize-extractively.ts'
import { type FoldInput, type FoldPlan, planFold } from '../domain/transcript/fold-plan.ts'

/**
 * What is done with a prompt over 1 MiB in this thread. It crosses as the text it is: that costs the event loop half of
 * what encoding it for a transfer would.
 */
export function extract(input: { prompt: string; maxTokens: number | undefined }): string {
  return summarizeExtractively(input)
}

/** How such a prompt is cut into parts; only the parts go back. */
export function plan(input: FoldInput): FoldPlan {
  return planFold(input)
}
