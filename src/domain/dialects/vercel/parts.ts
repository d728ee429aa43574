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
import { mediaKind, mediumPart } from '../media.ts'
import { jsonText } from '../row.ts'
import type { RowPart } from '../row-part.ts'

const typeOfMedia = (part: Loose): string => String(part['mediaType'] ?? part['mimeType'] ?? '')

const file: BlockRule = {
  is: (part) =>
    part['data'] !== undefined && (typeof part['mediaType'] === 'string' || typeof part['mimeType'] === 'string'),
  read: (part) => {
    const mediaType = typeOfMedia(part)
    return mediumPart({
      media: mediaKind(mediaType),
      mediaType,
      name: part['filename'],
      data: part['data'],
      from: part,
    })
  },
}

const note: BlockRule = { read: (part) => ({ type: 'note', quarters: wireQuarters(part), from: part }) }

const hasCallId = (part: Loose): boolean => typeof part['toolCallId'] === 'string'

/** All part types of AI SDK ModelMessages. */
const PARTS: BlockTable = new Map<string, BlockRule>([
  ['text', textRule],
  [
    'image',
    {
      is: (part) => part['image'] !== undefined,
      read: (part) => mediumPart({ media: 'image', mediaType: typeOfMedia(part), data: part['image'], from: part }),
    },
  ],
  ['file', file],
  [
    'reasoning',
    {
      is: (part) => typeof part['text'] === 'string',
      read: (part) => ({ type: 'thinking', text: String(part['text']), quarters: wireQuarters(part), from: part }),
    },
  ],
  ['redacted-reasoning', note],
  [
    'tool-call',
    {
      is: hasCallId,
      read: (part) => {
        const call = {
          id: String(part['toolCallId']),
          name: String(part['toolName'] ?? 'unknown'),
          args: jsonText(part['input'] ?? part['args']),
        }
        // Some providers answer after a pause, some never: the SDK sends either along.
        return part['providerExecuted'] === true
          ? { type: 'ran-call', ...call, needsResult: false, quarters: wireQuarters(part), from: part }
          : { type: 'call', ...call }
      },
    },
  ],
  ['tool-result', { is: hasCallId, read: (part) => resultOf(part) }],
  ['tool-approval-request', note],
  ['tool-approval-response', note],
])

/** For whoever only has to tell them apart. */
export const VERCEL_PART_TYPES: readonly unknown[] = [...PARTS.keys()]

/** Parts of an output that is a list. */
const OUTPUT_PARTS: BlockTable = new Map<string, BlockRule>([
  ['text', textRule],
  ['media', file],
  ['file-data', file],
  ['image-data', { read: (part) => imageOf(part, part['data']) }],
  ['image-url', { read: (part) => imageOf(part, part['url']) }],
  ['image-file-id', { read: (part) => imageOf(part, undefined) }],
  ['file-url', { read: (part) => mediumPart({ media: 'document', mediaType: '', data: part['url'], from: part }) }],
  ['file-id', { read: (part) => mediumPart({ media: 'document', mediaType: '', data: undefined, from: part }) }],
])

export function knowsVercelPart(part: Loose): boolean {
  return ruleFor(PARTS, part['type'], part) !== undefined
}

/** A result in an assistant's row is the provider's own. */
export function viewOfVercelPart(part: unknown, { role }: { readonly role: string }): BlockView {
  const view = viewOfTyped(PARTS, part)
  if (view.type !== 'result' || role !== 'assistant') return view
  const text =
    typeof view.content === 'string'
      ? view.content
      : view.content.map((each) => ('text' in each ? each.text : '')).join('\n')
  return { type: 'ran-result', id: view.id, text, isError: view.isError, quarters: wireQuarters(part), from: part }
}

export const isResultPart = (part: unknown): boolean => isRecord(part) && part['type'] === 'tool-result'

function imageOf(part: Loose, data: unknown): RowPart {
  return mediumPart({ media: 'image', mediaType: typeOfMedia(part), data, from: part })
}

function resultOf(part: Loose): BlockView {
  const { output } = part
  const id = String(part['toolCallId'])
  // The form before version 5 of the SDK.
  if (!isRecord(output))
    return { type: 'result', id, content: jsonText(output ?? part['result']), isError: part['isError'] === true }
  const { type, value } = output
  if (type === 'content' && Array.isArray(value)) {
    return {
      type: 'result',
      id,
      content: partsOnly(value.map((each) => viewOfTyped(OUTPUT_PARTS, each))),
      isError: false,
    }
  }
  const text =
    type === 'execution-denied'
      ? `The user rejected the call${typeof output['reason'] === 'string' ? `: ${output['reason']}` : '.'}`
      : jsonText(value)
  return {
    type: 'result',
    id,
    content: text,
    isError: type === 'error-text' || type === 'error-json' || type === 'execution-denied',
  }
}
