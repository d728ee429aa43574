import type { ParsedPrompt } from './parse-prompt.ts'

/** What surrounds the conversation of a prompt, in the order in which it is put together again. */
export interface FoldFrame {
  /** Up to and including the opening tag. */
  readonly before: string
  /** Between the closing tag and the instructions, without the previous summary: additional context. */
  readonly between: string
  readonly previousSummary?: string | undefined
  readonly instructions: string
}

const OPENING = '<conversation>\n'

/** Takes a prompt apart so that nothing of it gets lost when its conversation, whatever its frame, is sent in parts. */
export function foldFrame({ before, between, previousSummary, instructions }: ParsedPrompt): FoldFrame {
  return {
    before: before === '' ? OPENING : `${before}\n\n${OPENING}`,
    between,
    instructions,
    previousSummary,
  }
}

/** One call's prompt: this much of the conversation, the summary carried so far, a lead-in, then the prompt's own instructions. */
export function framedPrompt(
  frame: FoldFrame,
  conversation: string,
  more: { carried?: string | undefined; lead?: string | undefined } = {},
): string {
  const { carried, lead } = more
  return [
    `${frame.before}${conversation.trimEnd()}\n</conversation>`,
    ...(carried === undefined ? [] : [`<previous-summary>\n${carried}\n</previous-summary>`]),
    frame.between,
    lead === undefined ? frame.instructions : `${lead.trimEnd()}\n\n${frame.instructions}`,
  ]
    .filter((piece) => piece !== '')
    .join('\n\n')
}

/** The prompt that makes one summary of several, oldest first. */
export function mergePrompt(
  frame: FoldFrame,
  summaries: readonly string[],
  more: { carried?: string | undefined; lead: string },
): string {
  const parts = summaries.map(
    (text, i) => `<part-summary part="${i + 1}" of="${summaries.length}">\n${text}\n</part-summary>`,
  )
  return [
    ...(more.carried === undefined ? [] : [`<previous-summary>\n${more.carried}\n</previous-summary>`]),
    ...parts,
    frame.between,
    `${more.lead.trimEnd()}\n\n${frame.instructions}`,
  ]
    .filter((piece) => piece !== '')
    .join('\n\n')
}
