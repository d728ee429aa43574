import { parseJson } from '../../parse-json.ts'
import { cutText } from '../../text/cut-text.ts'

const TRIGGER_CHARS = 500
const LEAF_CHARS = 200
const MARK = '...[truncated]'

/**
 * Call arguments with every long string value cut, still valid JSON (#11762, #13574). Only those values are rewritten:
 * keys, numbers beyond 2^53 and spacing stay as they came. Short arguments, and text that is not JSON, come back as they are.
 */
export function truncateArguments(args: string): string {
  if (args.length <= TRIGGER_CHARS || parseJson(args) === undefined) return args
  const pieces: string[] = []
  let copied = 0
  for (let at = args.indexOf('"'); at >= 0; ) {
    const end = endOfString(args, at)
    if (end - at > LEAF_CHARS && !isKey(args, end)) {
      const cut = cutLeaf(args.slice(at, end))
      pieces.push(args.slice(copied, at), cut)
      copied = end
    }
    at = args.indexOf('"', end)
  }
  return copied === 0 ? args : pieces.join('') + args.slice(copied)
}

function cutLeaf(token: string): string {
  const value = parseJson(token)
  if (typeof value !== 'string') return token
  const done = value.length <= LEAF_CHARS + MARK.length && value.endsWith(MARK)
  return value.length <= LEAF_CHARS || done ? token : JSON.stringify(cutText(value, LEAF_CHARS) + MARK)
}

/** Index after the closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

function isKey(text: string, end: number): boolean {
  let at = end
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return text[at] === ':'
}
