import { isRecord } from '../is-record.ts'
import { jsonText } from './row.ts'
import { isRowPart, type MediaPart, type OpaquePart } from './row-part.ts'

/** Text parts joined by newlines, media and unknown parts by name (docs/bug-log.md B115); what a provider ran is told apart. */
export function toldText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return isRecord(content) ? jsonText(content) : ''
  return content.flatMap(toldPart).join('\n')
}

function toldPart(part: unknown): readonly string[] {
  if (!isRowPart(part)) return typeof part === 'string' ? [part] : []
  switch (part.type) {
    case 'text':
    case 'summary':
      return [part.text]
    case 'media':
      return [toldMedium(part)]
    case 'opaque':
      return [toldOpaque(part)]
    default:
      return []
  }
}

function toldMedium({ media, name }: MediaPart): string {
  return name === '' ? `[${media}]` : `[${media}: ${name}]`
}

function toldOpaque({ name, text }: OpaquePart): string {
  return text === '' ? `[${name}]` : `[${name}: ${text}]`
}
