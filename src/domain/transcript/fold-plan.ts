import { cutMiddle } from '../text/cut-middle.ts'
import { bytesOfTokens, textTokens } from '../tokens/text-tokens.ts'
import { utf8Length } from '../tokens/utf8.ts'
import { foldBudget } from './fold-budget.ts'
import { type FoldFrame, foldFrame } from './fold-frame.ts'
import { elementBorders } from './json-messages.ts'
import { parseBlocks } from './parse-blocks.ts'
import { parsePrompt } from './parse-prompt.ts'
import { splitBalanced } from './split.ts'

/** Plain data, so that a long prompt can be planned in a worker. Tokens. */
export interface FoldInput extends FoldFigures {
  readonly prompt: string
}

/** What a plan is made with beside the prompt. */
export interface FoldFigures {
  readonly systemTokens: number
  readonly windowTokens: number
  /** Already clamped to the model and to half of the window. */
  readonly maxTokens: number
  /** Words put around a part beside the prompt's own. */
  readonly leadTokens: number
  /** The summary that grows while parts are read one after the other; 0 when they are read side by side. */
  readonly carryTokens: number
}

/** Some of the conversation's messages, in order. */
export interface FoldPart {
  /** Where they stand in the prompt, in UTF-16 units: to cross a thread, a place costs nothing, its text as much as the prompt. */
  readonly start: number
  readonly end: number
  /** The same in bytes of the prompt as it was spelled, without blanks at the end; where somebody looked (spelled-parts.ts). */
  readonly spelled?: { readonly from: number; readonly to: number } | undefined
  /** What of them is sent, where one was cut; else all that stands there. */
  readonly text?: string | undefined
  /** Messages, counted from 0: `from` up to, not including, `to`. */
  readonly from: number
  readonly to: number
  /** UTF-16 units cut out of messages that were larger than a whole part. */
  readonly removed: number
}

/** `whole`: one call does. `unfoldable`: nothing to split at, or no room. */
export type FoldPlan =
  | { readonly kind: 'whole' }
  | { readonly kind: 'unfoldable' }
  | {
      readonly kind: 'parts'
      readonly frame: FoldFrame
      /** All messages of the conversation; every one is in exactly one part. */
      readonly messages: number
      readonly parts: readonly FoldPart[]
    }

/** With less room than this a part is nothing but noise. */
const LEAST_PART_TOKENS = 128
/** A message over the budget keeps this share of it, so that its neighbours often fit beside it. */
const GIANT_SHARE = 0.9
/** Characters between two borders of a text without labels: a log of two million lines needs no border at each. */
const LEAST_PARAGRAPH = 400

/** How a prompt is to be read: at once, or in the fewest balanced parts (docs/spec/models.md §6). Linear in the prompt. */
export function planFold(input: FoldInput): FoldPlan {
  const { windowTokens, maxTokens } = input
  const parsed = parsePrompt(input.prompt)
  if (parsed === null) return { kind: 'unfoldable' }
  const frame = foldFrame(parsed)
  const ownTokens =
    input.systemTokens + textTokens(frame.before) + textTokens(frame.between) + textTokens(frame.instructions)
  const carriedTokens = Math.max(textTokens(frame.previousSummary ?? ''), input.carryTokens)
  const room = (instructionTokens: number) => foldBudget({ windowTokens, maxTokens, carriedTokens, instructionTokens })

  const totalTokens = input.systemTokens + textTokens(input.prompt)
  if (textTokens(parsed.conversation) <= room(ownTokens) && totalTokens + maxTokens <= windowTokens)
    return { kind: 'whole' }
  const budgetTokens = room(ownTokens + input.leadTokens)
  if (budgetTokens < LEAST_PART_TOKENS || parsed.conversation.trim() === '') return { kind: 'unfoldable' }
  const messages = messagesOf(parsed.conversation)
  const parts = partsOf(messages, parsed.conversationStart, bytesOfTokens(budgetTokens))
  return { kind: 'parts', frame, messages: messages.length, parts }
}

/** The conversation cut at its message borders; joined again they are the conversation, byte for byte. */
function messagesOf(conversation: string): string[] {
  const borders = bordersOf(conversation)
  const messages: string[] = []
  let from = 0
  for (const border of borders) {
    if (border <= from) continue
    messages.push(conversation.slice(from, border))
    from = border
  }
  messages.push(conversation.slice(from))
  return messages
}

function bordersOf(conversation: string): readonly number[] {
  // A JSON list says by itself where its messages begin; labels inside its strings are text.
  if (conversation.startsWith('[') && conversation.endsWith(']')) return elementBorders(conversation)
  const blocks = parseBlocks(conversation)
  return blocks.length > 1 ? blocks.map(({ start }) => start) : paragraphBorders(conversation)
}

/** A conversation in a form without labels has no messages; paragraphs, else lines, are the next best borders. */
function paragraphBorders(text: string): number[] {
  for (const mark of ['\n\n', '\n']) {
    const borders: number[] = []
    let from = 0
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, from + LEAST_PARAGRAPH)) {
      from = at + mark.length
      borders.push(from)
    }
    if (borders.length > 1) return borders
  }
  return []
}

function partsOf(messages: readonly string[], startsAt: number, mostBytes: number): FoldPart[] {
  const fitting = messages.map((message) =>
    utf8Length(message) <= mostBytes
      ? { text: message, removed: 0 }
      : cutMiddle(message, Math.floor(mostBytes * GIANT_SHARE)),
  )
  const runs = splitBalanced(
    fitting.map(({ text }) => utf8Length(text)),
    mostBytes,
  )
  let start = startsAt
  return runs.map(({ from, to }) => {
    const run = fitting.slice(from, to)
    const removed = run.reduce((sum, one) => sum + one.removed, 0)
    const end = messages.slice(from, to).reduce((sum, { length }) => sum + length, start)
    const part = {
      start,
      end,
      text: removed === 0 ? undefined : run.map(({ text }) => text).join(''),
      from,
      to,
      removed,
    }
    start = end
    return part
  })
}
