import { isRecord } from '../../is-record.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import { type BlockRule, type BlockTable, type BlockView, textRule, viewOfTyped } from '../blocks/block-view.ts'
import type { Loose } from '../codec.ts'
import { mediumPart } from '../media.ts'
import { opaquePart } from '../opaque.ts'
import { readableText } from '../readable-text.ts'
import { jsonText } from '../row.ts'
import type { MediaKind } from '../row-part.ts'

const note: BlockRule = { read: (part) => ({ type: 'note', quarters: wireQuarters(part), from: part }) }

/** A call that stands in `tool_calls` as well, where it is weighed. */
const shadow: BlockRule = { read: (part) => ({ type: 'note', quarters: 0, from: part }) }

const thinking: BlockRule = {
  read: (part) => ({ type: 'thinking', text: readableText(part), quarters: wireQuarters(part), from: part }),
}

/** Data blocks in all their generations: `source_type` + `data`/`url`, `base64`/`url`, a provider's own. */
const medium = (media: MediaKind): BlockRule => ({
  read: (part) => {
    const held = heldBy(part)
    return mediumPart({
      media,
      mediaType: String(
        part['mime_type'] ?? part['mimeType'] ?? held['media_type'] ?? held['format'] ?? defaultType(media),
      ),
      name:
        part['filename'] ??
        part['title'] ??
        held['filename'] ??
        (isRecord(part['metadata']) ? part['metadata']['filename'] : undefined),
      data:
        part['data'] ??
        part['base64'] ??
        part['url'] ??
        held['data'] ??
        held['file_data'] ??
        held['url'] ??
        addressOf(part),
      from: part,
    })
  },
})

const HOLDERS = ['source', 'image_url', 'input_audio', 'file'] as const

function heldBy(part: Loose): Loose {
  const held = HOLDERS.map((name) => part[name]).find(isRecord)
  return held ?? {}
}

function addressOf(part: Loose): unknown {
  return typeof part['image_url'] === 'string' ? part['image_url'] : undefined
}

function defaultType(media: MediaKind): string {
  return media === 'document' ? 'application/pdf' : ''
}

const ranCall: BlockRule = {
  read: (part) => ({
    type: 'ran-call',
    id: String(part['id'] ?? ''),
    name: String(part['name'] ?? 'unknown'),
    args: jsonText(part['args'] ?? part['input']),
    needsResult: false,
    quarters: wireQuarters(part),
    from: part,
  }),
}

const ranResult: BlockRule = {
  read: (part) => ({
    type: 'ran-result',
    id: String(part['tool_call_id'] ?? part['tool_use_id'] ?? ''),
    text: readableText(part['output'] ?? part['content']),
    isError: part['status'] === 'error' || part['is_error'] === true,
    quarters: wireQuarters(part),
    from: part,
  }),
}

/** All content blocks of LangChain messages: its standard ones and those of providers that it passes on. */
const PARTS: BlockTable = new Map<string, BlockRule>([
  ['text', textRule],
  ['input_text', textRule],
  ['output_text', textRule],
  ['refusal', { read: (part) => ({ type: 'text', text: jsonText(part['refusal']), from: part }) }],
  ['text-plain', { read: (part) => ({ type: 'text', text: jsonText(part['text'] ?? part['data']), from: part }) }],
  ['image_url', medium('image')],
  ['image', medium('image')],
  ['input_image', medium('image')],
  ['file', medium('document')],
  ['document', medium('document')],
  ['audio', medium('audio')],
  ['input_audio', medium('audio')],
  ['video', medium('video')],
  ['reasoning', thinking],
  ['reasoning_content', thinking],
  ['thinking', thinking],
  ['redacted_thinking', thinking],
  ['tool_use', shadow],
  ['tool_call', shadow],
  ['tool_call_chunk', shadow],
  ['function_call', shadow],
  ['invalid_tool_call', shadow],
  ['input_json_delta', shadow],
  ['server_tool_use', ranCall],
  ['server_tool_call', ranCall],
  ['server_tool_result', ranResult],
  ['mcp_tool_use', ranCall],
  ['cachePoint', note],
])

const RAN_RESULT = /^\w+_tool_result$/

export function viewOfLangchainPart(part: unknown): BlockView {
  if (!isRecord(part)) return viewOfTyped(PARTS, part)
  const { type } = part
  if (typeof type === 'string' && !PARTS.has(type) && RAN_RESULT.test(type)) return ranResult.read(part)
  if (typeof type === 'string') return viewOfTyped(PARTS, part)
  const [first] = Object.keys(part)
  if (typeof part['text'] === 'string') return { type: 'text', text: part['text'], from: part }
  return first === 'cachePoint' ? note.read(part) : opaquePart(part, first)
}

/** The id of the call that a part repeats, or null. */
export function shadowOf(part: unknown): unknown {
  return isRecord(part) && PARTS.get(String(part['type'])) === shadow ? (part['id'] ?? part['call_id'] ?? null) : null
}
