import { findLabels } from '../text/structure/find-labels.ts'
import { splitAppendedCalls } from './appended-calls.ts'
import type { Block } from './block.ts'

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
