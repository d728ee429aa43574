import { FRAMES } from '../text/structure/frames.ts'
import { USER_NAMES } from '../text/structure/labels.ts'

const SPACE = 0x20
const QUOTE = 0x22
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const LETTER_N = 0x6e
const LETTER_U = 0x75
const OPEN_OBJECT = 0x7b
const NOT_ASCII = 0x80

/** How a line may begin that is the label of a user (find-labels.ts), as it is spelled. Without one there is no dialogue. */
const USER = `(?:${USER_NAMES.join('|')})`
const COLON = '(?::|\\xef\\xbc\\x9a|\\\\uff1a)'
const USER_LABEL = new RegExp(
  `^(?:\\[${USER}\\]${COLON}|\\*\\*${USER}(?::\\*\\*|\\*\\*:)|<${USER}[ >]|#+(?: |\\\\t)+${USER}[ :#"\\\\]|${USER}${COLON})`,
  'i',
)
const TAG = new RegExp(`^<(?:${FRAMES.conversations.join('|')})>`)
/** As long as either may be. */
const LOOKED_AT_BYTES = 64

/** A character beyond ASCII spelled by its number, or by the two of a pair, as Python does. */
const NUMBER = /^(?:(?!00[0-7]|d[89a-f])[\da-f]{4}|d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2})/i
const NUMBER_BYTES = 10

/** What a byte may be: where the walk stops, an escape when it is behind a backslash, a mark or the beginning of a name in a label, what ends that, the beginning of a name in a tag. */
const STOP = 1
const ESCAPE = 2
const BLANK = 4
const BLANK_IN_LINE = 8
const MARK_START = 16
const NAME_START = 32
const NAME_END = 64
const TAG_START = 128
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindsOf(String.fromCharCode(byte)))

function kindsOf(char: string): number {
  const begins = (names: readonly string[]) => names.some((name) => name.startsWith(char))
  const isUser = begins(USER_NAMES) || begins(USER_NAMES.map((name) => name.toUpperCase()))
  const kinds: readonly (readonly [kind: number, isOne: boolean])[] = [
    [STOP, char < ' ' || '"\\<['.includes(char)],
    [ESCAPE, '"\\/bfnrt'.includes(char)],
    [BLANK, 'fnrt'.includes(char)],
    [BLANK_IN_LINE, 'rt'.includes(char)],
    [MARK_START, '[#*<'.includes(char)],
    [NAME_START, isUser],
    [NAME_END, ':\xef\\'.includes(char)],
    [TAG_START, begins(FRAMES.conversations)],
  ]
  return kinds.reduce((sum, [kind, isOne]) => (isOne ? sum | kind : sum), 0)
}

const kindAt = (bytes: Buffer, at: number): number => KINDS[bytes[at] ?? 0] ?? 0
const isAt = (kind: number, bytes: Buffer, at: number): boolean => (kindAt(bytes, at) & kind) !== 0

/**
 * Where the JSON string ends that opens at `from`: behind its closing quote. Only for one that is valid JSON, surely holds no conversation
 * (parse-prompt.ts would say null) and nothing that no provider takes, lone surrogates and NUL; in doubt -1. To make and read its text takes
 * three times as long. The bytes are valid UTF-8. Linear.
 */
export function plainStringEnd(bytes: Buffer, from: number): number {
  const { length } = bytes
  let at = beginsUser(bytes, from + 1) ? -1 : from + 1
  while (at >= 0 && at < length) {
    at = nextStop(bytes, at) + 1
    const byte = bytes[at - 1]
    if (byte === BACKSLASH) at = behindEscape(bytes, at)
    else if (byte === QUOTE) return at
    else if (byte === OPEN_LIST ? beginsList(bytes, at) : byte === undefined || byte < SPACE || beginsTag(bytes, at))
      return -1
  }
  return -1
}

/** Four bytes are asked at once, since most are nothing. */
function nextStop(bytes: Buffer, from: number): number {
  const { length } = bytes
  let at = from
  while (
    at + 4 <= length &&
    ((kindAt(bytes, at) | kindAt(bytes, at + 1) | kindAt(bytes, at + 2) | kindAt(bytes, at + 3)) & STOP) === 0
  )
    at += 4
  while (at < length && !isAt(STOP, bytes, at)) at += 1
  return at
}

/** `from` is behind the backslash. -1 where none ends there, or where a label may begin. */
function behindEscape(bytes: Buffer, from: number): number {
  const at = from + 1
  if (bytes[from] === LETTER_N) return beginsUser(bytes, at) ? -1 : at
  if (bytes[from] !== LETTER_U) return isAt(ESCAPE, bytes, from) ? at : -1
  // ASCII spelled so may be part of a label or a tag.
  const number = NUMBER.exec(bytes.toString('latin1', at, at + NUMBER_BYTES))
  return number === null ? -1 : at + number[0].length
}

function beginsUser(bytes: Buffer, from: number): boolean {
  const at = behindBlanks(bytes, from, BLANK_IN_LINE)
  if (!isAt(MARK_START, bytes, at) && !(isAt(NAME_START, bytes, at) && endsName(bytes, at))) return false
  return USER_LABEL.test(lookAt(bytes, at))
}

const endsName = (bytes: Buffer, at: number): boolean =>
  USER_NAMES.some(({ length }) => isAt(NAME_END, bytes, at + length))

/** `from` is behind the `<`. */
const beginsTag = (bytes: Buffer, from: number): boolean =>
  isAt(TAG_START, bytes, from) && TAG.test(lookAt(bytes, from - 1))

/** `from` is behind the bracket. Beyond ASCII some characters count as blanks, spelled by their numbers or not. */
function beginsList(bytes: Buffer, from: number): boolean {
  const at = behindBlanks(bytes, from, BLANK)
  const byte = bytes[at] ?? 0
  return byte === OPEN_OBJECT || byte >= NOT_ASCII || (byte === BACKSLASH && bytes[at + 1] === LETTER_U)
}

/** Behind spaces, and behind escapes of one kind. */
function behindBlanks(bytes: Buffer, from: number, kind: number): number {
  let at = from
  for (;;) {
    if (bytes[at] === SPACE) at += 1
    else if (bytes[at] === BACKSLASH && isAt(kind, bytes, at + 1)) at += 2
    else return at
  }
}

const lookAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + LOOKED_AT_BYTES)
