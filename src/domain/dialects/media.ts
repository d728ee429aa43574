import { isRecord } from '../is-record.ts'
import { IMAGE_QUARTERS } from '../tokens/chat-tokens.ts'
import type { MediaData, MediaKind, MediaPart, TextPart } from './row-part.ts'

/** A medium as a dialect names it. `data`: base64, a data URL, an address, or bytes as JSON writes them. */
export interface MediumInput {
  readonly media: MediaKind
  /** '' where the dialect does not say. */
  readonly mediaType: string
  readonly name?: unknown
  readonly data: unknown
  readonly from: unknown
}

const LEAST_QUARTERS = IMAGE_QUARTERS
const DOCUMENT_BYTES = 20
const AUDIO_BYTES = 500
const TEXT_TYPE =
  /^(?:text\/|application\/(?:json|xml|x?html|yaml|x-yaml|x-ndjson|javascript|x-sh|csv|markdown)\b)|\+(?:json|xml)$/
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\//i
const MOST_NAME_CHARS = 300

/** A medium as its row shows it: weighed by its kind, a text document told by its text (docs/spec/reading.md §6). */
export function mediumPart(input: MediumInput): MediaPart | TextPart {
  const data = dataOf(input)
  const mediaType = data !== null && 'mediaType' in data ? data.mediaType : input.mediaType
  if (input.media === 'document' && data !== null && 'base64' in data && TEXT_TYPE.test(mediaType)) {
    return textDocument(Buffer.from(data.base64, 'base64').toString('utf8'), input.name, input.from)
  }
  const media = input.media === 'document' ? mediaKind(mediaType) : input.media
  return {
    type: 'media',
    media,
    name: nameOf(input.name, data),
    data,
    quarters: 4 * tokensOf(media, input.data, data),
    from: input.from,
  }
}

/** A document that is text weighs its text and is told by it. */
export function textDocument(text: string, name: unknown, from: unknown): TextPart {
  const head = typeof name === 'string' && name !== '' ? `[document ${name.slice(0, MOST_NAME_CHARS)}]\n` : ''
  return { type: 'text', text: head + text, from }
}

export function mediaKind(mediaType: string): MediaKind {
  const family = mediaType.split('/')[0]
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}

function tokensOf(media: MediaKind, given: unknown, data: MediaData | null): number {
  const least = LEAST_QUARTERS / 4
  if (media === 'image') return least
  const bytes = data !== null && 'base64' in data ? decodedBytes(data.base64) : rawBytes(given)
  return Math.max(least, Math.ceil(bytes / (media === 'document' ? DOCUMENT_BYTES : AUDIO_BYTES)))
}

function decodedBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor((base64.length * 3) / 4) - padding
}

/** Bytes that were not text when JSON was made of them: a Buffer's list, a typed array's numbered fields. */
function rawBytes(given: unknown): number {
  if (Array.isArray(given)) return given.length
  if (!isRecord(given)) return 0
  return Array.isArray(given['data']) ? given['data'].length : '0' in given ? Object.keys(given).length : 0
}

function dataOf({ data, mediaType }: MediumInput): MediaData | null {
  const text = typeof data === 'string' ? data : isRecord(data) && typeof data['url'] === 'string' ? data['url'] : ''
  if (text === '') return null
  if (text.startsWith('data:')) {
    const comma = text.indexOf(',')
    const head = text.slice(5, Math.max(5, comma)).split(';')
    return { mediaType: head[0] || mediaType, base64: text.slice(comma + 1) }
  }
  return ADDRESS.test(text) ? { url: text } : { mediaType, base64: text }
}

function nameOf(name: unknown, data: MediaData | null): string {
  if (typeof name === 'string' && name !== '') return name.slice(0, MOST_NAME_CHARS)
  return data !== null && 'url' in data && /^https?:/i.test(data.url) ? data.url.slice(0, MOST_NAME_CHARS) : ''
}
