import type { ParsedPrompt } from './parse.ts'

/** What surrounds the conversation of a prompt, in the order in which it is put together again. */
export interface FoldFrame {
  /** Up to and including the opening tag. */
  readonly before: string
  /** What stands between the closing tag and the instructions, without the previous summary: additional context. */
  readonly between: string
  readonly previousSummary?: string
  readonly instructions: string
}

const OPENING = '<conversation>\n'
const CLOSING = /^\n?<\/conversation>/
const PREVIOUS = ['<previous-summary>', '</previous-summary>'] as const

/** Takes a prompt apart so that nothing of it gets lost when its conversation is sent in parts. */
export function foldFrame(prompt: string, parsed: ParsedPrompt): FoldFrame {
  const { previousSummary, instructions } = parsed
  const head = prompt.slice(0, parsed.conversationStart)
  const rest = withoutPrevious(prompt.slice(parsed.conversationEnd).replace(CLOSING, ''), previousSummary).trim()
  const atTheEnd = rest.endsWith(instructions)
  return {
    // Instructions that stood in front are put behind each part, so they are not needed twice.
    before: atTheEnd && rest !== '' ? head : OPENING,
    between: atTheEnd ? rest.slice(0, rest.length - instructions.length).trim() : rest,
    instructions,
    ...(previousSummary === undefined ? {} : { previousSummary }),
  }
}

function withoutPrevious(rest: string, previousSummary: string | undefined): string {
  if (previousSummary === undefined) return rest
  const [opening, closing] = PREVIOUS
  const at = rest.indexOf(opening)
  const end = rest.indexOf(closing, rest.indexOf(previousSummary, at) + previousSummary.length)
  return at < 0 || end < 0 ? rest : `${rest.slice(0, at)}${rest.slice(end + closing.length)}`
}

/** One call's prompt: this much of the conversation, the summary carried so far, a lead-in, then the prompt's own instructions. */
export function framedPrompt(
  frame: FoldFrame,
  conversation: string,
  more: { carried?: string | undefined; lead?: string } = {},
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
