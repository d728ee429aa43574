import { isUtf8 } from 'node:buffer'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * The bytes of one member of a JSON object where its value is a string, quotes included: what JSON.parse makes a text of,
 * as it was spelled. Undefined where that cannot be told at a glance (another type, escapes in a key, not UTF-8).
 * The bytes must be of valid JSON: they are walked, not checked. `endOf` says where the string ends that opens at an offset, or -1 where its
 * caller does not want it.
 */
export function stringMember(
  bytes: Buffer,
  name: string,
  endOf: (from: number) => number = (from) => stringEnd(bytes, from),
): Buffer | undefined {
  if (!isUtf8(bytes)) return undefined
  let at = behindSpace(bytes, 0)
  if (bytes[at] !== OPEN_OBJECT) return undefined
  let found: Buffer | undefined
  for (at = behindSpace(bytes, at + 1); bytes[at] === QUOTE; at = behindSpace(bytes, at + 1)) {
    const keyEnd = stringEnd(bytes, at)
    const key = bytes.toString('latin1', at + 1, keyEnd - 1)
    if (key.includes('\\')) return undefined
    const from = behindSpace(bytes, behindSpace(bytes, keyEnd) + 1)
    const isFound = key === name && bytes[from] === QUOTE
    const end = isFound ? endOf(from) : valueEnd(bytes, from)
    if (end < 0) return undefined
    // Of members with one name JSON.parse keeps the last.
    if (key === name) found = isFound ? bytes.subarray(from, end) : undefined
    at = behindSpace(bytes, end)
  }
  return found
}

function behindSpace(bytes: Buffer, from: number): number {
  let at = from
  while (isSpace(bytes[at])) at += 1
  return at
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Behind the closing quote of the string that opens at `from`. */
function stringEnd(bytes: Buffer, from: number): number {
  for (let quote = bytes.indexOf(QUOTE, from + 1); quote > 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let slashes = 0
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return bytes.length
}

/** Position after the value that begins at `from`; of a number or a word, after the space that follows it. */
function valueEnd(bytes: Buffer, from: number): number {
  if (bytes[from] === QUOTE) return stringEnd(bytes, from)
  let depth = 0
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = stringEnd(bytes, at) - 1
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT)) return at
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
  }
  return bytes.length
}
