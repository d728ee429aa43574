import { cleanText, neutralizeMedia, sliceSafely } from '../text/clean.ts'
import { redactAll } from '../text/redact-all.ts'

/** One message of a conversation, whatever agent it comes from. Images stand in the text as `[image]`. */
export interface TranscriptItem {
  readonly role: 'user' | 'developer' | 'assistant' | 'toolResult'
  readonly text: string
  readonly thinking?: string
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[]
  readonly isError?: boolean
}

export interface SerializeOptions {
  /** Message lists also neutralise `MEDIA:` directives (session-compaction §12). */
  readonly neutralizesMedia?: boolean
}

/** Results longer than this keep head and tail: errors sit at the end (session-compaction §6). */
const RESULT_LIMIT = 2000
const RESULT = '[Tool result]: '
const ERROR = '[Tool error]: '
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

interface Block {
  readonly label: string
  readonly text: string
}

function resultBlock(item: TranscriptItem): Block {
  if (item.isError !== true) return { label: RESULT, text: item.text }
  return { label: ERROR, text: item.text === '' ? '(no output)' : item.text }
}

function blocksOf(item: TranscriptItem): readonly Block[] {
  switch (item.role) {
    case 'user':
      return [{ label: '[User]: ', text: item.text }]
    case 'developer':
      return [{ label: '[Developer]: ', text: item.text }]
    case 'toolResult':
      return [resultBlock(item)]
    case 'assistant':
      return [
        { label: '[Assistant thinking]: ', text: item.thinking ?? '' },
        { label: '[Assistant]: ', text: item.text },
        { label: '[Assistant tool calls]: ', text: (item.calls ?? []).map(callText).join('; ') },
      ]
    default:
      return item.role satisfies never
  }
}

/**
 * The conversation as labelled blocks (omp-spec §8, session-compaction §6), ready to stand between `<conversation>` tags.
 * Empty blocks are left out. Everything is cleaned and redacted BEFORE it is cut, so that no half of a secret gets past.
 */
export function serialize(items: readonly TranscriptItem[], options: SerializeOptions = {}): string {
  const blocks = items.flatMap(blocksOf).filter((block) => block.text !== '')
  const texts = redactAll(blocks.map((block) => cleanText(block.text)))
  const told = blocks.map(({ label }, index) => {
    const text = texts[index] ?? ''
    const shown = options.neutralizesMedia === true ? neutralizeMedia(text) : text
    return label + (label === RESULT || label === ERROR ? clipResult(shown) : shown)
  })
  return told.join('\n\n')
}
