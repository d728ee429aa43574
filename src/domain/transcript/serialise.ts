import { redact } from '../facts/redact.ts'
import { cleanText, neutraliseMedia, sliceSafely } from './clean.ts'

/** One message of a conversation, whatever agent it comes from. Images stand in the text as `[image]`. */
export interface TranscriptItem {
  readonly role: 'user' | 'developer' | 'assistant' | 'toolResult'
  readonly text: string
  readonly thinking?: string
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[]
  readonly isError?: boolean
}

export interface SerialiseOptions {
  /** Message lists also neutralise `MEDIA:` directives (session-compaction §12). */
  readonly neutralisesMedia?: boolean
}

/** Results longer than this keep head and tail: errors sit at the end (session-compaction §6). */
const RESULT_LIMIT = 2000
const HEAD = 1200
const TAIL = RESULT_LIMIT - HEAD

/** A result within the limit, or its head and tail around a marker with the count of characters left out. */
export function clipResult(text: string): string {
  if (text.length <= RESULT_LIMIT) return text
  const head = sliceSafely(text, 0, HEAD)
  const tail = sliceSafely(text, text.length - TAIL, text.length)
  const left = text.length - head.length - tail.length
  return `${head}\n\n[... ${left} more characters truncated]\n\n${tail}`
}

/** `name(k=JSON, k2=JSON)`; arguments that are no object stand as JSON, a bare string as it is. */
function callText({ name, args }: { readonly name: string; readonly args: unknown }): string {
  if (typeof args === 'string') return `${name}(${args})`
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return `${name}(${args == null ? '' : JSON.stringify(args)})`
  const pairs = Object.entries(args).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  return `${name}(${pairs.join(', ')})`
}

function blocksOf(item: TranscriptItem, safe: (text: string) => string): readonly string[] {
  const text = item.text === '' ? '' : safe(item.text)
  switch (item.role) {
    case 'user':
      return text === '' ? [] : [`[User]: ${text}`]
    case 'developer':
      return text === '' ? [] : [`[Developer]: ${text}`]
    case 'toolResult':
      if (item.isError === true) return [`[Tool error]: ${text === '' ? '(no output)' : clipResult(text)}`]
      return text === '' ? [] : [`[Tool result]: ${clipResult(text)}`]
    case 'assistant': {
      const { thinking = '', calls = [] } = item
      return [
        ...(thinking === '' ? [] : [`[Assistant thinking]: ${safe(thinking)}`]),
        ...(text === '' ? [] : [`[Assistant]: ${text}`]),
        ...(calls.length === 0 ? [] : [`[Assistant tool calls]: ${safe(calls.map(callText).join('; '))}`]),
      ]
    }
    default:
      return item.role satisfies never
  }
}

/**
 * The conversation as labelled blocks (omp-spec §8, session-compaction §6), ready to stand between `<conversation>` tags.
 * Every piece is cleaned and redacted BEFORE it is cut, so that no half of a secret gets past the redactor.
 */
export function serialise(items: readonly TranscriptItem[], options: SerialiseOptions = {}): string {
  const media = options.neutralisesMedia === true ? neutraliseMedia : (text: string): string => text
  const safe = (text: string): string => media(redact(cleanText(text)))
  return items.flatMap((item) => blocksOf(item, safe)).join('\n\n')
}
