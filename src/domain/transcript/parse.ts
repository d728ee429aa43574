import type { Block, BlockRole } from './block.ts'
import { splitHermesCalls } from './hermes-calls.ts'
import { LABEL_FAMILIES, type LabelFamily } from './labels.ts'

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
 * Blocks of a serialised conversation, in order. A block begins at the start or after a blank line, with a label of the
 * first family (bracket labels, `Human:` dialect, XML dialect) that fits; unknown labels are text.
 */
export function parseBlocks(conversation: string): Block[] {
  for (const family of LABEL_FAMILIES) {
    const blocks = blocksOf(conversation, family)
    if (blocks !== null) return blocks.flatMap(splitHermesCalls)
  }
  const text = conversation.trim()
  return text === '' ? [] : [{ role: 'other', label: '', text, start: 0, end: conversation.length }]
}

interface Label {
  readonly role: BlockRole
  readonly name: string
  readonly at: number
  readonly textAt: number
}

function blocksOf(conversation: string, family: LabelFamily): Block[] | null {
  const labels: Label[] = []
  for (const match of conversation.matchAll(family.pattern)) {
    const name = match[2] ?? ''
    const role = family.roleOf(name)
    if (role === null) continue
    labels.push({ role, name, at: match.index + (match[1] ?? '').length, textAt: match.index + match[0].length })
  }
  if (labels.length === 0) return null
  const blocks: Block[] = []
  const lead = conversation.slice(0, labels[0]?.at)
  if (lead.trim() !== '')
    blocks.push({ role: 'other', label: '', text: lead.trim(), start: 0, end: lead.trimEnd().length })
  labels.forEach((label, i) => {
    const next = labels[i + 1]?.at ?? conversation.length
    const raw = conversation.slice(label.textAt, next)
    const text = family.closing === null ? raw.trimEnd() : raw.trimEnd().replace(family.closing, '').trimEnd()
    blocks.push({
      role: label.role,
      label: label.name,
      text,
      start: label.at,
      end: label.textAt + raw.trimEnd().length,
    })
  })
  return blocks
}
