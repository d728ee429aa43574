import type { LabelFamily } from '../text/structure/find-labels.ts'
import type { Block } from './block.ts'

const HEAD = /(?:^|\n)\[Tool calls?:[ \t\r]{0,8}\n/
const JSON_CALLS = '[{"'

/**
 * Some agents append an assistant's calls to its words: as one bracketed list of `name(args)` lines, or as a JSON list right
 * behind the text. Such a block becomes two, so that every reader meets the calls where the other dialects have them.
 */
export function splitAppendedCalls(block: Block, family: LabelFamily): readonly Block[] {
  if (block.role !== 'assistant') return [block]
  // Only where the agent writes no label for calls: what our own transcripts say is never read so.
  if (family === 'bracket') return block.label === block.label.toUpperCase() ? bracketedCalls(block) : [block]
  return family === 'plain' ? jsonCalls(block) : [block]
}

function bracketedCalls(block: Block): readonly Block[] {
  const head = HEAD.exec(block.text)
  if (head === null) return [block]
  const calls = block.text.slice(head.index + head[0].length).trimEnd()
  const list = calls.endsWith(']') ? calls.slice(0, -1) : calls
  return parted(block, head.index, list.trim())
}

/** `words[{"name":"edit","args":{…},"id":"…","type":"tool_call"}]` */
function jsonCalls(block: Block): readonly Block[] {
  const at = block.text.indexOf(JSON_CALLS)
  if (at < 0 || !block.text.endsWith('}]')) return [block]
  const list = block.text.slice(at)
  return list.includes('"tool_call"') ? parted(block, at, list) : [block]
}

function parted(block: Block, at: number, calls: string): readonly Block[] {
  const said = block.text.slice(0, at).trimEnd()
  const cut = block.end - (block.text.length - at)
  const told: Block = {
    role: 'tool-calls',
    label: 'Tool calls',
    text: calls,
    start: said === '' ? block.start : cut,
    end: block.end,
  }
  return said === '' ? [told] : [{ ...block, text: said, end: cut }, told]
}
