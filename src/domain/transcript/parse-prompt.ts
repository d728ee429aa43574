import { FRAMES } from '../text/structure/frames.ts'
import { findLoose, findTagged } from './find-conversation.ts'
import { lastClosing } from './last-closing.ts'

/** The parts of a summarisation prompt. Offsets are those of `conversation` in the prompt (UTF-16 units). */
export interface ParsedPrompt {
  readonly conversation: string
  readonly previousSummary?: string | undefined
  readonly additionalContext?: string | undefined
  /** What is to be done; '' where the prompt says nothing of it. */
  readonly instructions: string
  /** What stands in front of the conversation and is not its instructions. */
  readonly before: string
  /** What stands after it and is neither a previous summary nor the instructions: additional context, tags and all. */
  readonly between: string
  readonly conversationStart: number
  readonly conversationEnd: number
}

/**
 * Takes a prompt apart (docs/spec/reading.md §5); null when it holds no conversation: neither one in tags, nor labels of a
 * dialogue, nor a JSON list of messages. Instructions stand after it or in front of it, earlier summaries on either side.
 */
export function parsePrompt(prompt: string): ParsedPrompt | null {
  const region = findTagged(prompt) ?? findLoose(prompt)
  if (region === null) return null
  const { start, end } = region
  const head = headOf(prompt.slice(0, region.from))
  const tail = tailOf(prompt.slice(region.to))
  const previous = tail.previous ?? head.previous
  const behind = [tail.after, tail.between].find((text) => text !== '')
  const before = behind === undefined ? '' : head.text
  return {
    conversation: prompt.slice(start, end),
    previousSummary: previous,
    additionalContext: tail.context,
    // Some agents put their instructions in front of the transcript.
    instructions: behind ?? head.text,
    before,
    between: [tail.contextBlock, tail.after === '' ? '' : tail.between].filter((text) => text !== '').join('\n\n'),
    conversationStart: start,
    conversationEnd: end,
  }
}

/** Tags that answers and templates have, too: a summary only where they cannot be meant so. */
const OFTEN_TEMPLATES: ReadonlySet<string> = new Set(['summary', 'state_snapshot'])
const SURE = FRAMES.previousSummaries.filter((name) => !OFTEN_TEMPLATES.has(name))
const TITLED = /(?:^|\n)Previous summary:[ \t]{0,8}\n/i
const CONVERSATION_TITLE = /\n[*# ]{0,8}Conversation(?: history)?:[* ]{0,8}\n?$/i

/** What stands in front: an earlier summary in tags or under its title, and the rest. */
function headOf(text: string): { readonly text: string; readonly previous?: string } {
  const block = firstBlock(text, FRAMES.previousSummaries)
  if (block !== null)
    return { text: `${text.slice(0, block.from)}${text.slice(block.to)}`.trim(), previous: block.text }
  const title = TITLED.exec(text)
  if (title === null) return { text: text.trim() }
  const body = text.slice(title.index + title[0].length).trimEnd()
  return { text: text.slice(0, title.index).trim(), previous: `${body}\n`.replace(CONVERSATION_TITLE, '').trim() }
}

interface Tail {
  readonly previous?: string | undefined
  readonly context?: string | undefined
  readonly contextBlock: string
  /** Between the conversation, the blocks and what follows the last of them. */
  readonly between: string
  readonly after: string
}

/** What stands after: an earlier summary, additional context, instructions. */
function tailOf(rest: string): Tail {
  const opensWith = FRAMES.previousSummaries.filter((name) => rest.trimStart().startsWith(`<${name}>`))
  const previous = firstBlock(rest, [...opensWith, ...SURE])
  const context = firstBlock(rest, FRAMES.contexts)
  const blocks = [previous, context].filter((block) => block !== null).sort((one, other) => one.from - other.from)
  const pieces: string[] = []
  let from = 0
  for (const block of blocks) {
    pieces.push(rest.slice(from, block.from).trim())
    from = Math.max(from, block.to)
  }
  return {
    previous: previous?.text,
    context: context?.text,
    contextBlock: context === null ? '' : rest.slice(context.from, context.to).trim(),
    between: pieces.filter((piece) => piece !== '').join('\n\n'),
    after: rest.slice(from).trim(),
  }
}

interface DataBlock {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** The first block of one of these names; its tag begins a line, inside a sentence it is only spoken of. */
function firstBlock(text: string, names: readonly string[]): DataBlock | null {
  const found = names.map((name) => dataBlock(text, name)).filter((block) => block !== null)
  return found.reduce<DataBlock | null>((one, other) => (one === null || other.from < one.from ? other : one), null)
}

function dataBlock(text: string, name: string): DataBlock | null {
  const atStart = text.startsWith(`<${name}>`)
  const opening = atStart ? 0 : text.indexOf(`\n<${name}>`)
  if (opening < 0) return null
  const inside = opening + name.length + (atStart ? 2 : 3)
  const closing = lastClosing(text, name, inside)
  return closing === null ? null : { text: text.slice(inside, closing.from).trim(), from: opening, to: closing.to }
}
