import { isRecord } from '../../is-record.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import { type BlockRule, type BlockTable, partsOnly, ruleFor, viewOfTyped } from '../blocks/block-view.ts'
import type { Loose } from '../codec.ts'
import { mediumPart } from '../media.ts'
import { jsonText } from '../row.ts'
import type { RowPart } from '../row-part.ts'

const words = (field: string): BlockRule => ({
  is: (part) => typeof part[field] === 'string',
  read: (part) => ({ type: 'text', text: String(part[field]), from: part }),
})

const image: BlockRule = {
  is: (part) => part['source'] === undefined,
  read: (part) =>
    mediumPart({ media: 'image', mediaType: '', data: part['image_url'] ?? part['image'] ?? part['data'], from: part }),
}

const file: BlockRule = {
  read: (part) => {
    const held = part['file']
    return mediumPart({
      media: 'document',
      mediaType: 'application/pdf',
      name: part['filename'],
      data: part['file_data'] ?? part['file_url'] ?? (isRecord(held) ? held['url'] : held),
      from: part,
    })
  },
}

const audio: BlockRule = {
  read: (part) => {
    const held = part['input_audio'] ?? part['audio']
    const data = isRecord(held) ? held['data'] : (held ?? part['data'])
    return mediumPart({ media: 'audio', mediaType: 'audio/wav', data, from: part })
  },
}

const note: BlockRule = { read: (part) => ({ type: 'note', quarters: wireQuarters(part), from: part }) }

/** All part types of Responses messages and outputs, with those of the Agents SDK. */
const PARTS: BlockTable = new Map<string, BlockRule>([
  ['input_text', words('text')],
  ['output_text', words('text')],
  ['summary_text', words('text')],
  ['reasoning_text', words('text')],
  ['text', words('text')],
  ['refusal', words('refusal')],
  ['input_image', image],
  ['image', image],
  ['computer_screenshot', image],
  ['input_file', file],
  ['file', { ...file, is: (part) => part['file'] !== undefined && !isRecord(part['file']) }],
  ['input_audio', audio],
  ['audio', audio],
  ['encrypted_content', note],
])

/** For whoever only has to tell them apart. */
export const RESPONSES_PART_TYPES: readonly unknown[] = [...PARTS.keys()]

/** Types that no other dialect of rows with a role has. */
const OWN: ReadonlySet<unknown> = new Set([
  'input_text',
  'output_text',
  'summary_text',
  'reasoning_text',
  'input_image',
  'input_file',
  'computer_screenshot',
])

export const isOwnPart = (part: unknown): boolean => isRecord(part) && OWN.has(part['type'])

export function knowsResponsesPart(part: Loose): boolean {
  return ruleFor(PARTS, part['type'], part) !== undefined
}

/** Content of a message or an output: a text as it is, one part or a list as parts; `item` goes back for a text. */
export function contentOf(content: unknown): string | readonly RowPart[] {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return partsOnly(content.map((part) => viewOfTyped(PARTS, part)))
  if (isRecord(content) && knowsResponsesPart(content)) return partsOnly([viewOfTyped(PARTS, content)])
  return jsonText(content)
}
