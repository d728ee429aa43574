import type { LabelFamily } from '../text/structure/find-labels.ts'
import { isSmallSpelled } from '../text/structure/labels.ts'
import type { Block } from './block.ts'

const HEAD = /(?:^|\n)\[Tool calls?:[ \t\r]{0,8}\n/
const JSON_CALLS = '[{"'

/**
 * Some agents append an assistant's calls to its words: as one bracketed list of `name(args)` lines, or as a JSON list right
 * after the text. Such a block becomes two, so that every reader meets the calls where the other dialects have them.
 */
export function splitAppendedCalls(block: Block, family: LabelFamily): readonly Block[] {
  // Only in spellings of agents that write no label for calls: what our own transcripts say is never read so.
  if (family === 'bracket' && isSmallSpelled(block.label)) return writtenOut(block)
  if (block.role !== 'assistant') return [block]
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

// bounded: every match looks at 140 characters at most
const REQUEST = /(?:^|\n)tool_request\(([\w.:/-]{1,120})\): ?/
const RESPONSE = 'tool_response:'

/** `tool_request(edit): {…}` after the assistant's words, `tool_response: …` in the user's name. */
function writtenOut(block: Block): readonly Block[] {
  if (block.role === 'user' && block.text.startsWith(RESPONSE))
    return [{ ...block, role: 'tool-result', text: block.text.slice(RESPONSE.length).trim() }]
  const request = block.role === 'assistant' ? REQUEST.exec(block.text) : null
  if (request === null) return [block]
  const calls = block.text
    .slice(request.index)
    .split(/\n(?=tool_request\()/)
    .map((line) => line.trim().replace(REQUEST, '$1('))
  return parted(block, request.index, calls.map((line) => `${line})`).join('; '))
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
