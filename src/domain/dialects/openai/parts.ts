import { isRecord } from '../../is-record.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import {
  type BlockRule,
  type BlockTable,
  type BlockView,
  ruleFor,
  textRule,
  viewOfTyped,
} from '../blocks/block-view.ts'
import type { Loose } from '../codec.ts'
import { mediumPart } from '../media.ts'
import { readableText } from '../readable-text.ts'

/** A part whose address stands as a text or as the `url` of an object of the same name. */
function addressed(media: 'image' | 'document' | 'audio' | 'video', field: string): BlockRule {
  return {
    is: (part) => part[field] !== undefined,
    read: (part) => {
      const held = part[field]
      return mediumPart({ media, mediaType: '', data: isRecord(held) ? held['url'] : held, from: part })
    },
  }
}

const audio: BlockRule = {
  is: (part) => isRecord(part['input_audio']),
  read: (part) => {
    const held = isRecord(part['input_audio']) ? part['input_audio'] : {}
    return mediumPart({
      media: 'audio',
      mediaType: `audio/${String(held['format'] ?? 'wav')}`,
      data: held['data'],
      from: part,
    })
  },
}

const file: BlockRule = {
  is: (part) => isRecord(part['file']),
  read: (part) => {
    const held = isRecord(part['file']) ? part['file'] : {}
    return mediumPart({
      media: 'document',
      mediaType: 'application/pdf',
      name: held['filename'],
      data: held['file_data'],
      from: part,
    })
  },
}

/** Mistral's, a list of parts; Anthropic's is a text. */
const thinking: BlockRule = {
  is: (part) => Array.isArray(part['thinking']),
  read: (part) => ({ type: 'thinking', text: readableText(part), quarters: wireQuarters(part), from: part }),
}

/** All part types of chat completions, with those that compatible servers added. */
const PARTS: BlockTable = new Map<string, BlockRule>([
  ['text', textRule],
  [
    'refusal',
    {
      is: (part) => typeof part['refusal'] === 'string',
      read: (part) => ({ type: 'text', text: String(part['refusal']), from: part }),
    },
  ],
  ['image_url', addressed('image', 'image_url')],
  ['video_url', addressed('video', 'video_url')],
  ['audio_url', addressed('audio', 'audio_url')],
  ['document_url', addressed('document', 'document_url')],
  ['input_audio', audio],
  ['file', file],
  ['thinking', thinking],
])

/** For whoever only has to tell them apart. */
export const OPENAI_PART_TYPES: readonly unknown[] = [...PARTS.keys()]

export function knowsOpenaiPart(part: Loose): boolean {
  return ruleFor(PARTS, part['type'], part) !== undefined
}

export function viewOfOpenaiPart(part: unknown): BlockView {
  return viewOfTyped(PARTS, part)
}
