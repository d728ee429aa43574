import { isRecord } from '../is-record.ts'

/** Fields that hold no words: kinds, ids, seals, bytes. */
const SILENT =
  /^(?:type|id|.*_id|.*Id|signature|thoughtSignature|encrypted_.*|encrypted.*|data|file_data|bytes|b64_json|blob|mime_?[tT]ype|media_?[tT]ype|cache_control|cacheControl|providerOptions|providerMetadata|status|index)$/
/** A long string of ASCII without any white space is data in some encoding; Chinese and Japanese write without blanks. */
const LONGEST_WORD = 200
const MOST_PIECES = 10_000

/**
 * The strings a value holds that a reader could make something of, in order, joined; for results and parts that have no
 * text of their own. Stops at `mostChars`. Walks with its own stack.
 */
export function readableText(value: unknown, { joint = '\n', mostChars = Number.POSITIVE_INFINITY } = {}): string {
  const pieces: string[] = []
  const stack: unknown[] = [value]
  let chars = 0
  while (stack.length > 0 && chars < mostChars && pieces.length < MOST_PIECES) {
    const next = stack.pop()
    if (typeof next === 'string') {
      const text = next.trim()
      if (text === '' || isData(text)) continue
      pieces.push(text)
      chars += text.length + joint.length
    } else if (Array.isArray(next)) {
      for (let at = next.length - 1; at >= 0; at -= 1) stack.push(next[at])
    } else if (isRecord(next)) {
      // A text document of the Messages API holds its text in `data`.
      if (next['type'] === 'text' && typeof next['data'] === 'string') stack.push(next['data'])
      const entries = Object.entries(next)
      for (let at = entries.length - 1; at >= 0; at -= 1) {
        const entry = entries[at]
        if (entry !== undefined && !SILENT.test(entry[0])) stack.push(entry[1])
      }
    }
  }
  return pieces.join(joint)
}

function isData(text: string): boolean {
  return text.startsWith('data:') || (text.length > LONGEST_WORD && !/[\s\u0080-\uffff]/.test(text))
}
