import { isRecord } from '../../is-record.ts'
import { IMAGE_QUARTERS } from '../../tokens/chat-tokens.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import { opaquePart } from '../opaque.ts'
import { readableText } from '../readable-text.ts'
import { jsonText } from '../row.ts'
import type { RowPart } from '../row-part.ts'
import { type ResponsesItem, toolOf, typeOf } from './items.ts'

/** What a provider-run item asked for and found: fields that hold the one, fields that hold the other. */
const ASKED = ['action', 'arguments', 'queries', 'code', 'input', 'server_label', 'revised_prompt'] as const
const FOUND = ['results', 'outputs', 'output', 'tools', 'result'] as const

/** A tool call that the provider answered itself stands in one item with what it found (docs/spec/reading.md §3). */
export function ranParts(item: ResponsesItem, id: string): RowPart[] {
  if (String(typeOf(item)).endsWith('_output')) {
    return [
      { type: 'ran-result', id: '', text: readableText(item), isError: false, quarters: weightOf(item), from: item },
    ]
  }
  const call: RowPart = {
    type: 'ran-call',
    id,
    name: toolOf(item),
    args: askedOf(item),
    needsResult: false,
    quarters: weightOf(item),
    from: item,
  }
  const failed = item['error'] !== undefined && item['error'] !== null
  const text = failed ? readableText(item['error']) : foundOf(item)
  return [call, { type: 'ran-result', id, text, isError: failed, quarters: 0, from: item }]
}

export function opaqueItem(item: ResponsesItem): RowPart {
  return opaquePart(item, item['type'])
}

function askedOf(item: ResponsesItem): string {
  const asked = ASKED.filter((field) => item[field] !== undefined && item[field] !== null)
  const [only] = asked
  if (only === undefined) return ''
  if (asked.length === 1 && (isRecord(item[only]) || typeof item[only] === 'string') && only !== 'code')
    return jsonText(item[only])
  // A named tool's own arguments say more than where it runs.
  if (typeof item['arguments'] === 'string') return item['arguments']
  return JSON.stringify(Object.fromEntries(asked.map((field) => [field, item[field]])))
}

function foundOf(item: ResponsesItem): string {
  if (typeOf(item) === 'image_generation_call') return typeof item['result'] === 'string' ? '[image]' : ''
  if (typeOf(item) === 'mcp_list_tools') return toolNames(item['tools'])
  return FOUND.map((field) => readableText(item[field]))
    .filter((text) => text !== '')
    .join('\n')
}

/** Names of the tools that a server or a search offers. */
export function toolNames(tools: unknown): string {
  return Array.isArray(tools)
    ? tools.flatMap((tool: unknown) => (isRecord(tool) ? [String(tool['name'])] : [])).join(', ')
    : ''
}

/** Bytes of a picture are never weighed as text. */
function weightOf(item: ResponsesItem): number {
  if (typeOf(item) !== 'image_generation_call') return wireQuarters(item)
  const { result, ...rest } = item
  return wireQuarters(rest) + (result === undefined || result === null ? 0 : IMAGE_QUARTERS)
}
