import { isRecord } from '../../is-record.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import {
  type BlockRule,
  type BlockTable,
  type BlockView,
  partsOnly,
  ruleFor,
  textRule,
  viewOfTyped,
} from '../blocks/block-view.ts'
import type { Loose } from '../codec.ts'
import { contentText } from '../content-text.ts'
import { mediumPart, textDocument } from '../media.ts'
import { opaquePart } from '../opaque.ts'
import { readableText } from '../readable-text.ts'
import { jsonText } from '../row.ts'
import type { RowPart } from '../row-part.ts'

const hasSource = (block: Loose): boolean => isRecord(block['source'])

const thinking: BlockRule = {
  read: (block) => ({
    type: 'thinking',
    text: typeof block['thinking'] === 'string' ? block['thinking'] : '',
    quarters: wireQuarters(block),
    from: block,
  }),
}

const note: BlockRule = { read: (block) => ({ type: 'note', quarters: wireQuarters(block), from: block }) }

/** A tool that the provider runs; its result follows in the same answer or, after a pause, in the next. */
const ranCall: BlockRule = {
  read: (block) => ({
    type: 'ran-call',
    id: String(block['id'] ?? ''),
    name: String(block['name'] ?? 'unknown'),
    args: jsonText(block['input']),
    needsResult: true,
    quarters: wireQuarters(block),
    from: block,
  }),
}

const ranResult: BlockRule = {
  read: (block) => ({
    type: 'ran-result',
    id: String(block['tool_use_id'] ?? ''),
    text: ranText(block['content']),
    isError: block['is_error'] === true || isFailure(block['content']),
    quarters: wireQuarters(block),
    from: block,
  }),
}

/** All block types of the Messages API. */
const BLOCKS: BlockTable = new Map<string, BlockRule>([
  ['text', textRule],
  ['image', { is: hasSource, read: (block) => imageOf(block) }],
  ['document', { is: hasSource, read: (block) => documentOf(block) }],
  ['search_result', { read: (block) => ({ type: 'text', text: readableText(block), from: block }) }],
  ['thinking', { ...thinking, is: (block) => !Array.isArray(block['thinking']) }],
  ['redacted_thinking', thinking],
  [
    'tool_use',
    {
      read: (block) => ({
        type: 'call',
        id: String(block['id'] ?? ''),
        name: String(block['name'] ?? ''),
        args: jsonText(block['input']),
      }),
    },
  ],
  [
    'tool_result',
    {
      read: (block) => ({
        type: 'result',
        id: String(block['tool_use_id'] ?? ''),
        content: resultContent(block['content']),
        isError: block['is_error'] === true,
      }),
    },
  ],
  ['server_tool_use', ranCall],
  ['mcp_tool_use', ranCall],
  ['compaction', { read: (block) => compactionOf(block) }],
  [
    'tool_reference',
    { read: (block) => ({ type: 'text', text: `[tool ${String(block['tool_name'] ?? '')}]`, from: block }) },
  ],
  ['container_upload', note],
])

/** For whoever only has to tell them apart. */
export const ANTHROPIC_BLOCK_TYPES: readonly unknown[] = [...BLOCKS.keys()]

/** Results of provider-run tools have a type each (`web_search_tool_result` …), and new ones come. */
const RAN_RESULT = /^\w+_tool_result$/

export function knowsBlock(block: Loose): boolean {
  const type = block['type']
  return ruleFor(BLOCKS, type, block) !== undefined || (typeof type === 'string' && RAN_RESULT.test(type))
}

export function viewOfAnthropicBlock(block: unknown): BlockView {
  if (
    isRecord(block) &&
    typeof block['type'] === 'string' &&
    !BLOCKS.has(block['type']) &&
    RAN_RESULT.test(block['type'])
  )
    return ranResult.read(block)
  return viewOfTyped(BLOCKS, block)
}

export function isToolResult(block: unknown): boolean {
  return isRecord(block) && block['type'] === 'tool_result'
}

function imageOf(block: Loose): RowPart {
  const source = isRecord(block['source']) ? block['source'] : {}
  return mediumPart({
    media: 'image',
    mediaType: String(source['media_type'] ?? ''),
    data: source['data'] ?? source['url'],
    from: block,
  })
}

function documentOf(block: Loose): RowPart {
  const source = isRecord(block['source']) ? block['source'] : {}
  const name = block['title']
  if (source['type'] === 'text' && typeof source['data'] === 'string') return textDocument(source['data'], name, block)
  if (source['type'] === 'content') return textDocument(contentText(resultContent(source['content'])), name, block)
  const mediaType = String(source['media_type'] ?? 'application/pdf')
  return mediumPart({ media: 'document', mediaType, name, data: source['data'] ?? source['url'], from: block })
}

/** A summary that the provider made; of one that failed nothing is left, a sealed one is the only copy of what it holds. */
function compactionOf(block: Loose): BlockView {
  const { content } = block
  if (typeof content === 'string') return { type: 'summary', text: content, from: block }
  return typeof block['encrypted_content'] === 'string'
    ? opaquePart(block, 'compaction')
    : { type: 'note', quarters: wireQuarters(block), from: block }
}

function resultContent(content: unknown): string | readonly RowPart[] {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return Array.isArray(content) ? partsOnly(content.map(viewOfAnthropicBlock)) : jsonText(content)
}

/** What a provider-run tool said: the words of its result, with the exit code where there is one. */
function ranText(content: unknown): string {
  if (typeof content === 'string') return content
  const code = isRecord(content) ? content['return_code'] : undefined
  const text = readableText(content)
  return typeof code === 'number' && code !== 0 ? `Exit code: ${code}\n${text}` : text
}

function isFailure(content: unknown): boolean {
  if (!isRecord(content)) return false
  return (
    typeof content['error_code'] === 'string' ||
    (typeof content['return_code'] === 'number' && content['return_code'] !== 0)
  )
}
