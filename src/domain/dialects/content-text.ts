import { isRecord } from '../is-record.ts'
import { jsonText } from './row.ts'
import { isRowPart, type MediaPart, type OpaquePart } from './row-part.ts'

/** Text parts joined by newlines, media and unknown parts by name (docs/bug-log.md B115); what a provider ran is shown separately. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return isRecord(content) ? jsonText(content) : ''
  return content.flatMap(partTexts).join('\n')
}

function partTexts(part: unknown): readonly string[] {
  if (!isRowPart(part)) return typeof part === 'string' ? [part] : []
  switch (part.type) {
    case 'text':
    case 'summary':
      return [part.text]
    case 'media':
      return [mediumText(part)]
    case 'opaque':
      return [opaqueText(part)]
    default:
      return []
  }
}

function mediumText({ media, name }: MediaPart): string {
  return name === '' ? `[${media}]` : `[${media}: ${name}]`
}

function opaqueText({ name, text }: OpaquePart): string {
  return text === '' ? `[${name}]` : `[${name}: ${text}]`
}
