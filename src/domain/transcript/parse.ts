import { findLabels } from '../text/find-labels.ts'
import { splitAppendedCalls } from './appended-calls.ts'
import type { Block } from './block.ts'

/** The parts of a summarisation prompt (omp-spec §10). Offsets are those of `conversation` in the prompt. */
export interface ParsedPrompt {
  readonly conversation: string
  readonly previousSummary?: string
  readonly additionalContext?: string
  readonly instructions: string
  readonly conversationStart: number
  readonly conversationEnd: number
}

const OPENING = /(?:^|\n)[ \t]*<conversation>/
const TAG = '<conversation>'

/**
 * Takes a prompt apart; null when it holds no `<conversation>` block. The block runs from the first opening to the last
 * closing tag, since data may hold such tags (models.md §6). Tags at the start of a line win over tags in a sentence.
 */
export function parsePrompt(prompt: string): ParsedPrompt | null {
  const first = prompt.indexOf(TAG)
  if (first < 0) return null
  const line = OPENING.exec(prompt)
  const opening = line === null ? first : line.index + line[0].length - TAG.length
  const inside = opening + TAG.length
  const closing = lastClosing(prompt, 'conversation', inside)
  if (closing === null) return null
  const start = Math.min(prompt[inside] === '\n' ? inside + 1 : inside, closing.from)
  const rest = prompt.slice(closing.to)
  const previous = dataBlock(rest, 'previous-summary')
  const context = dataBlock(rest, 'additional-context')
  const after = rest.slice(Math.max(previous?.to ?? 0, context?.to ?? 0)).trim()
  return {
    conversation: prompt.slice(start, closing.from),
    ...(previous === null ? {} : { previousSummary: previous.text }),
    ...(context === null ? {} : { additionalContext: context.text }),
    // Some agents put their instructions in front of the transcript.
    instructions: after === '' ? prompt.slice(0, opening).trim() : after,
    conversationStart: start,
    conversationEnd: closing.from,
  }
}

/** The last `</name>` from `from` on; one at the start of a line is preferred, because instructions may speak of the tag. */
function lastClosing(text: string, name: string, from: number): { from: number; to: number } | null {
  const line = text.lastIndexOf(`\n</${name}>`)
  if (line >= from) return { from: line, to: line + name.length + 4 }
  const any = text.lastIndexOf(`</${name}>`)
  return any >= from ? { from: any, to: any + name.length + 3 } : null
}

function dataBlock(rest: string, name: string): { text: string; to: number } | null {
  // The tag stands alone in front of its block; inside a sentence of the instructions it is only spoken of.
  const opening = rest.startsWith(`<${name}>`) ? 0 : rest.indexOf(`\n<${name}>`)
  if (opening < 0) return null
  const inside = opening + name.length + (opening === 0 && rest[0] === '<' ? 2 : 3)
  const closing = lastClosing(rest, name, inside)
  return closing === null ? null : { text: rest.slice(inside, closing.from).trim(), to: closing.to }
}

/**
 * Blocks of a serialised conversation, in order: what its labels, found as `findLabels` says, hold between them. Text in
 * front of the first one, and all of a text without any, is a block of role `other`.
 */
export function parseBlocks(conversation: string): Block[] {
  const labels = findLabels(conversation)
  const blocks: Block[] = []
  const lead = conversation.slice(0, labels[0]?.at)
  if (lead.trim() !== '') {
    const end = labels.length === 0 ? conversation.length : lead.trimEnd().length
    blocks.push({ role: 'other', label: '', text: lead.trim(), start: 0, end })
  }
  for (const [i, label] of labels.entries()) {
    const raw = conversation.slice(label.textAt, labels[i + 1]?.at).trimEnd()
    const text = label.family === 'tag' ? withoutClosing(raw, label.name) : raw
    const block = { role: label.role, label: label.name, text, start: label.at, end: label.textAt + raw.length }
    for (const part of splitAppendedCalls(block, label.family)) blocks.push(part)
  }
  return blocks
}

function withoutClosing(text: string, name: string): string {
  const closing = `</${name}>`
  return text.endsWith(closing) ? text.slice(0, -closing.length).trimEnd() : text
}
