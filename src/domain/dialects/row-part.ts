/**
 * What the content of a row is made of, whatever dialect it came in. `from` is the caller's own part, which goes back as it is;
 * absent: the text is ours. `quarters` is the weight in quarter tokens where it is not that of `text` (docs/spec/reading.md §6).
 */
export type RowPart =
  | TextPart
  | MediaPart
  | ThinkingPart
  | RanCallPart
  | RanResultPart
  | SummaryPart
  | NotePart
  | OpaquePart

interface FromCaller {
  readonly from?: unknown
}

/** Words, or a text document told by its text. */
export interface TextPart extends FromCaller {
  readonly type: 'text'
  readonly text: string
  /** The text is no longer that of `from`, whose other fields stay. */
  readonly isEdited?: true | undefined
}

export type MediaKind = 'image' | 'document' | 'audio' | 'video'

/** What a medium holds, where another dialect could be given it. */
export type MediaData = { readonly mediaType: string; readonly base64: string } | { readonly url: string }

export interface MediaPart extends FromCaller {
  readonly type: 'media'
  readonly media: MediaKind
  /** A file name or an http(s) address to tell it by; '' where there is none. Never its data. */
  readonly name: string
  readonly data: MediaData | null
  readonly quarters: number
}

/** Never told, but weighed: it is sent back with every request. */
export interface ThinkingPart extends FromCaller {
  readonly type: 'thinking'
  readonly text: string
  readonly quarters: number
}

/** A call that the provider ran itself; its result stands in the same row or, after a paused turn, in a later one. */
export interface RanCallPart extends FromCaller {
  readonly type: 'ran-call'
  readonly id: string
  readonly name: string
  /** JSON text or a bare input; '' where there is none. */
  readonly args: string
  /** The provider refuses the call without its result. */
  readonly needsResult: boolean
  readonly quarters: number
}

export interface RanResultPart extends FromCaller {
  readonly type: 'ran-result'
  /** Of the call it answers. */
  readonly id: string
  readonly text: string
  readonly isError: boolean
  readonly quarters: number
}

/** A summary of earlier history that a provider made. */
export interface SummaryPart extends FromCaller {
  readonly type: 'summary'
  readonly text: string
}

/** Known, weighed, and nothing to tell: cache marks, signatures, references. */
export interface NotePart extends FromCaller {
  readonly type: 'note'
  readonly quarters: number
}

/** A part of a type nobody here knows. */
export interface OpaquePart extends FromCaller {
  readonly type: 'opaque'
  readonly name: string
  /** Its readable strings, at most 500 characters. */
  readonly text: string
  /** It carries an id named like a call's: half of a pair that was not recognised. */
  readonly claimsCall: boolean
  readonly quarters: number
}

/** The caller's own part; of a text of ours, what the dialect makes of it. */
export function partBack(part: unknown, native: (text: string) => unknown): unknown {
  if (!isRowPart(part)) return typeof part === 'string' ? native(part) : part
  if (part.from === undefined) return 'text' in part ? native(part.text) : undefined
  if (part.type !== 'text' || part.isEdited !== true) return part.from
  const { from } = part
  return typeof from === 'object' && from !== null && 'text' in from ? { ...from, text: part.text } : native(part.text)
}

const TYPES: ReadonlySet<unknown> = new Set<RowPart['type']>([
  'text',
  'media',
  'thinking',
  'ran-call',
  'ran-result',
  'summary',
  'note',
  'opaque',
])

/** Content of a row as its reader made it is a text or a list of these. */
export function isRowPart(part: unknown): part is RowPart {
  return typeof part === 'object' && part !== null && 'type' in part && TYPES.has(part.type)
}
