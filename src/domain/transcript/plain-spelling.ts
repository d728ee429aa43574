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

/** How a line begins that may be the label of a user (find-labels.ts), as it is spelled. Without one there is no dialogue. */
const USER = `(?:${USER_NAMES.join('|')})`
const COLON = '(?::|\\xef\\xbc\\x9a|\\\\uff1a)'
const USER_LABEL = new RegExp(
  `^(?:\\[${USER}\\]${COLON}|\\*\\*${USER}(?::\\*\\*|\\*\\*:)|<${USER}[ >]|#+(?: |\\\\t)+${USER}[ :#"\\\\]|${USER}${COLON})`,
  'i',
)
/** As long as one may be. */
const LABEL_BYTES = 64
const SMALL_LETTER = 0x20
const anyCase = (word: string): Uint8Array => Buffer.from(word).map((byte) => byte | SMALL_LETTER)
const USERS = USER_NAMES.map(anyCase)
const TAGS = FRAMES.conversations.map((name) => anyCase(`${name}>`))

/** What a byte may be: where the walk stops, an escape when it is behind a backslash, what stands in front of a name in a label, the first letters of names. */
const STOP = 1
const ESCAPE = 2
const BLANK = 4
const BLANK_IN_LINE = 8
const MARK = 16
const USER_START = 32
const TAG_START = 64
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindsOf(String.fromCharCode(byte)))

function kindsOf(char: string): number {
  const kinds: readonly (readonly [kind: number, isOne: boolean])[] = [
    [STOP, char < ' ' || '"\\<['.includes(char)],
    [ESCAPE, '"\\/bfnrt'.includes(char)],
    [BLANK, 'fnrt'.includes(char)],
    [BLANK_IN_LINE, 'rt'.includes(char)],
    [MARK, '[#*<'.includes(char)],
    [USER_START, USER_NAMES.some((name) => name.startsWith(char.toLowerCase()))],
    [TAG_START, FRAMES.conversations.some((name) => name.startsWith(char.toLowerCase()))],
  ]
  return kinds.reduce((sum, [kind, isOne]) => (isOne ? sum | kind : sum), 0)
}

const kindAt = (bytes: Buffer, at: number): number => KINDS[bytes[at] ?? 0] ?? 0
const isAt = (kind: number, bytes: Buffer, at: number): boolean => (kindAt(bytes, at) & kind) !== 0

/**
 * Where the JSON string ends that opens at `from`: behind its closing quote. Only for one that is valid JSON, surely holds no conversation
 * (parse-prompt.ts would say null) and nothing that no provider takes, lone surrogates and NUL; in doubt -1. To make and read its text takes
 * four times as long. The bytes are valid UTF-8. Linear.
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

/** `from` is behind the backslash. -1 where no escape stands there, or where a label may begin. */
function behindEscape(bytes: Buffer, from: number): number {
  const at = from + 1
  if (bytes[from] === LETTER_N) return beginsUser(bytes, at) ? -1 : at
  if (bytes[from] === LETTER_U) return behindNumber(bytes, at)
  return isAt(ESCAPE, bytes, from) ? at : -1
}

const DIGITS = 4
const PAIR_DIGITS = 10
const FIRST_SURROGATE = 0xd800
const FIRST_LOW_SURROGATE = 0xdc00
const LAST_SURROGATE = 0xdfff

/** Behind a character beyond ASCII that is spelled by its number, or by the two of a pair, as Python does. ASCII spelled so may be of a label or a tag: -1. */
function behindNumber(bytes: Buffer, from: number): number {
  const unit = numberAt(bytes, from)
  if (unit < NOT_ASCII) return -1
  if (unit < FIRST_SURROGATE || unit > LAST_SURROGATE) return from + DIGITS
  const low =
    bytes[from + DIGITS] === BACKSLASH && bytes[from + DIGITS + 1] === LETTER_U
      ? numberAt(bytes, from + DIGITS + 2)
      : -1
  return unit < FIRST_LOW_SURROGATE && low >= FIRST_LOW_SURROGATE && low <= LAST_SURROGATE ? from + PAIR_DIGITS : -1
}

const HEX = Int8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return /[\da-f]/i.test(char) ? Number.parseInt(char, 16) : -1
})

/** Four hexadecimal digits, or -1. */
function numberAt(bytes: Buffer, from: number): number {
  let number = 0
  for (let at = from; at < from + DIGITS; at += 1) {
    const digit = HEX[bytes[at] ?? 0] ?? -1
    if (digit < 0) return -1
    number = number * 16 + digit
  }
  return number
}

function beginsUser(bytes: Buffer, from: number): boolean {
  const start = behindBlanks(bytes, from, BLANK_IN_LINE)
  let at = start
  while (isAt(MARK, bytes, at)) at += 1
  if (at > start) at = behindBlanks(bytes, at, BLANK_IN_LINE)
  return (
    isAt(USER_START, bytes, at) &&
    USERS.some((name) => spells(bytes, at, name)) &&
    USER_LABEL.test(bytes.toString('latin1', start, start + LABEL_BYTES))
  )
}

/** `from` is behind the `<`. */
const beginsTag = (bytes: Buffer, from: number): boolean =>
  isAt(TAG_START, bytes, from) && TAGS.some((tag) => spells(bytes, from, tag))

/** Whether a word stands there, in any case; other characters than letters are told apart well enough. */
function spells(bytes: Buffer, from: number, word: Uint8Array): boolean {
  let i = 0
  while (i < word.length && ((bytes[from + i] ?? 0) | SMALL_LETTER) === word[i]) i += 1
  return i === word.length
}

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
