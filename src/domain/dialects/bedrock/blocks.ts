import { isRecord } from '../../is-record.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import { type BlockView, partsOnly } from '../blocks/block-view.ts'
import type { Loose } from '../codec.ts'
import { mediumPart, textDocument } from '../media.ts'
import { opaquePart } from '../opaque.ts'
import { readableText } from '../readable-text.ts'
import { jsonText } from '../row.ts'
import type { MediaKind, RowPart } from '../row-part.ts'

type Reader = (held: unknown, block: Loose, role: string) => BlockView

const note: Reader = (_held, block) => ({ type: 'note', quarters: wireQuarters(block), from: block })
const readable: Reader = (held, block) => ({ type: 'text', text: readableText(held), from: block })

const medium =
  (media: MediaKind): Reader =>
  (held, block) => {
    const { source, format, name } = objectOf(held)
    const { bytes, text, content, s3Location } = objectOf(source)
    if (typeof text === 'string') return textDocument(text, name, block)
    if (Array.isArray(content)) return textDocument(readableText(content), name, block)
    const data = bytes ?? objectOf(s3Location)['uri']
    return mediumPart({ media, mediaType: mediaType(media, String(format ?? '')), name, data, from: block })
  }

/** All block types of Converse, by the one field that a block has. */
const BLOCKS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['text', (held, block) => ({ type: 'text', text: String(held), from: block })],
  ['image', medium('image')],
  ['document', medium('document')],
  ['video', medium('video')],
  ['audio', medium('audio')],
  ['toolUse', (held, block) => callOf(objectOf(held), block)],
  ['toolResult', (held, block, role) => resultOf(objectOf(held), block, role)],
  [
    'reasoningContent',
    (held, block) => ({ type: 'thinking', text: readableText(held), quarters: wireQuarters(block), from: block }),
  ],
  ['guardContent', readable],
  ['searchResult', readable],
  ['citationsContent', (held, block) => ({ type: 'text', text: readableText(objectOf(held)['content']), from: block })],
  ['json', (held, block) => ({ type: 'text', text: jsonText(held), from: block })],
  ['cachePoint', note],
])

export function viewOfBedrockBlock(block: unknown, { role }: { readonly role: string }): BlockView {
  if (!isRecord(block)) return opaquePart(block, 'part')
  for (const name of Object.keys(block)) {
    const reader = BLOCKS.get(name)
    if (reader !== undefined) return reader(block[name], block, role)
  }
  return opaquePart(block, Object.keys(block)[0])
}

export const isResultBlock = (block: unknown): boolean => isRecord(block) && block['toolResult'] !== undefined

function objectOf(value: unknown): Loose {
  return isRecord(value) ? value : {}
}

const TEXT_FORMATS: ReadonlySet<string> = new Set(['txt', 'md', 'csv', 'html'])

function mediaType(media: MediaKind, format: string): string {
  if (media !== 'document') return `${media}/${format}`
  return TEXT_FORMATS.has(format) ? 'text/plain' : 'application/pdf'
}

/** A server tool's call and result both stand in the assistant's rows. */
function callOf(held: Loose, block: Loose): BlockView {
  const call = {
    id: String(held['toolUseId'] ?? ''),
    name: String(held['name'] ?? 'unknown'),
    args: jsonText(held['input']),
  }
  return held['type'] === 'server_tool_use'
    ? { type: 'ran-call', ...call, needsResult: true, quarters: wireQuarters(block), from: block }
    : { type: 'call', ...call }
}

function resultOf(held: Loose, block: Loose, role: string): BlockView {
  const id = String(held['toolUseId'] ?? '')
  const isError = held['status'] === 'error'
  const blocks: readonly unknown[] = Array.isArray(held['content']) ? held['content'] : []
  if (role === 'assistant')
    return { type: 'ran-result', id, text: readableText(blocks), isError, quarters: wireQuarters(block), from: block }
  const parts: readonly RowPart[] = partsOnly(blocks.map((each) => viewOfBedrockBlock(each, { role })))
  const texts = parts.map((part) => (part.type === 'text' ? part.text : null))
  // Results of words alone are a text like those of other dialects, so that equal ones are found.
  const content = texts.every((text) => text !== null) ? texts.join('\n') : parts
  return { type: 'result', id, content, isError }
}
