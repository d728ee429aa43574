import { balanceBidi, cleanText, sliceSafely } from '../text/clean.ts'
import { redactAll } from '../text/redact-all.ts'
import { OWN_LABELS } from '../text/structure/labels.ts'
import { neutralizeLabels } from '../text/structure/neutralize.ts'

/** One message of a conversation, whatever agent it comes from. Images stand in the text as `[image]`. */
export interface TranscriptItem {
  readonly role: 'user' | 'developer' | 'assistant' | 'toolResult'
  readonly text: string
  readonly thinking?: string
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[]
  readonly isError?: boolean
}

/** Results longer than this keep head and tail: errors sit at the end (session-compaction §6). */
const RESULT_LIMIT = 2000
const HEAD = 1200
const TAIL = RESULT_LIMIT - HEAD

/** A clean result within the limit, or its head and tail around a marker with the count of characters left out. */
export function clipResult(text: string): string {
  if (text.length <= RESULT_LIMIT) return text
  const head = sliceSafely(text, 0, HEAD)
  const tail = sliceSafely(text, text.length - TAIL, text.length)
  const left = text.length - head.length - tail.length
  // A cut makes a new line: what stood inside of one must not become a label at its start.
  return balanceBidi(`${head}\n\n[... ${left} more characters truncated]\n\n${neutralizeLabels(tail)}`)
}

const NO_NAME = /[^\w.:/-]/g
const NO_KEY = /[^\w$-]|^(?=[\d-])/g
const MOST_NAME = 80

/** `name(k=JSON, k2=JSON)`: what stands in JSON cannot be taken for a further call. A bare text is its `input`. */
function callText({ name, args }: { readonly name: string; readonly args: unknown }): string {
  const isNothing = args === undefined || args === null || args === ''
  const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { input: args }
  const pairs = Object.entries(given).map(
    ([key, value]) => `${key.replace(NO_KEY, '_').slice(0, MOST_NAME)}=${JSON.stringify(value)}`,
  )
  return `${name.replace(NO_NAME, '_').slice(0, MOST_NAME)}(${isNothing ? '' : pairs.join(', ')})`
}

interface Told {
  readonly label: string
  readonly text: string
  readonly isResult?: true
}

function resultBlock(item: TranscriptItem): Told {
  if (item.isError !== true) return { label: OWN_LABELS['tool-result'], text: item.text, isResult: true }
  const text = item.text === '' ? '(no output)' : item.text
  return { label: OWN_LABELS['tool-error'], text, isResult: true }
}

function blocksOf(item: TranscriptItem): readonly Told[] {
  switch (item.role) {
    case 'user':
      return [{ label: OWN_LABELS.user, text: item.text }]
    case 'developer':
      return [{ label: OWN_LABELS.developer, text: item.text }]
    case 'toolResult':
      return [resultBlock(item)]
    case 'assistant':
      return [
        { label: OWN_LABELS.thinking, text: item.thinking ?? '' },
        { label: OWN_LABELS.assistant, text: item.text },
        { label: OWN_LABELS['tool-calls'], text: (item.calls ?? []).map(callText).join('; ') },
      ]
    default:
      return item.role satisfies never
  }
}

/**
 * The conversation as labelled blocks (session-compaction §6), ready to stand between `<conversation>` tags. Empty blocks
 * are left out. Everything is cleaned and redacted BEFORE it is cut, so that no half of a secret gets past.
 */
export function serialize(items: readonly TranscriptItem[]): string {
  const blocks = items.flatMap(blocksOf).filter((block) => block.text !== '')
  const texts = redactAll(blocks.map((block) => cleanText(block.text)))
  const told = blocks.map(({ label, isResult }, i) => {
    const text = texts[i] ?? ''
    return `[${label}]: ${isResult === true ? clipResult(text) : text}`
  })
  return told.join('\n\n')
}
