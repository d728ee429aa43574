import type { Block } from './block.ts'

const HEAD = /(?:^|\n)\[Tool calls?:\s*\n/

/**
 * Hermes appends an assistant's calls to its text as one bracketed list of `name(args)` lines (hermes-spec §6). Such a
 * block becomes two, so that every reader meets the calls where the other dialects have them.
 */
export function splitHermesCalls(block: Block): readonly Block[] {
  if (block.role !== 'assistant') return [block]
  const head = HEAD.exec(block.text)
  if (head === null) return [block]
  const said = block.text.slice(0, head.index).trimEnd()
  const calls = block.text
    .slice(head.index + head[0].length)
    .replace(/\n?\]\s*$/, '')
    .trim()
  const cut = block.end - (block.text.length - head.index)
  const parts: Block[] = []
  if (said !== '') parts.push({ ...block, text: said, end: cut })
  parts.push({
    role: 'tool-calls',
    label: 'Tool calls',
    text: calls,
    start: said === '' ? block.start : cut,
    end: block.end,
  })
  return parts
}
