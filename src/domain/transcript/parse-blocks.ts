import { splitHermesCalls } from './hermes-calls.ts'
import { LABEL_FAMILIES, type LabelFamily } from './labels.ts'

/** What one block of a serialised conversation is, whatever the agent called it. */
export type BlockRole = 'user' | 'assistant' | 'thinking' | 'tool-calls' | 'tool-result' | 'tool-error' | 'other'

/** One block. `start` and `end` are offsets in the conversation (UTF-16 units): label included, blank line between blocks not. */
export interface Block {
  readonly role: BlockRole
  readonly label: string
  readonly text: string
  readonly start: number
  readonly end: number
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
