/** What a JSON text would become, estimated from its bytes before anything is parsed (docs/spec/hostile.md §2). */
export interface Structure {
  /** Objects, lists, texts, numbers and literals; keys are not counted. */
  readonly values: number
  /** The deepest nesting. */
  readonly depth: number
}

/** Takes a body piece by piece, in the order in which it comes; a cut may stand anywhere. */
export interface StructureScanner extends Structure {
  read(bytes: Buffer): void
}

const NEWLINE = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** So many bytes of a string are looked at one by one before its quote is searched for: a search has its price, and most strings are short. */
const WALKED_BYTES = 64

/**
 * Counts values as JSON.parse would make them, about a millisecond a megabyte. Of a text that is not JSON it counts at
 * least what a parser would have made before it gave up. Lines of a session file stand for themselves: what one of them leaves
 * open ends with it.
 */
export function structureScanner(mediaType: 'json' | 'ndjson'): StructureScanner {
  const eachLine = mediaType === 'ndjson'
  /** `behind`: of the next piece so many bytes belong to an escape that this one began. */
  const state = { values: 0, depth: 0, deepest: 0, behind: 0, isInString: false, isInScalar: false }
  return {
    get values() {
      return state.values
    },
    get depth() {
      return state.deepest
    },
    read(bytes) {
      let { values, depth, deepest, behind: at, isInString, isInScalar } = state
      while (at < bytes.length) {
        if (isInString) {
          at = stringEnd(bytes, at, eachLine)
          if (at >= bytes.length) break
          isInString = false
          if (bytes[at] === QUOTE) at += 1
          continue
        }
        const byte = bytes[at] ?? SPACE
        at += 1
        const wasInScalar = isInScalar
        isInScalar = false
        if (byte === QUOTE) {
          values += 1
          isInString = true
        } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          values += 1
          depth += 1
          if (depth > deepest) deepest = depth
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth = depth === 0 ? 0 : depth - 1
        // The text before it was a key.
        else if (byte === COLON) values = values === 0 ? 0 : values - 1
        else if (byte === NEWLINE && eachLine) depth = 0
        else if (byte > SPACE && byte !== COMMA) {
          isInScalar = true
          if (!wasInScalar) values += 1
        }
      }
      Object.assign(state, { values, depth, deepest, behind: Math.max(0, at - bytes.length), isInString, isInScalar })
    },
  }
}

/**
 * Where the string that goes on at `from` ends: at its quote or, where lines count, at its line's end. Where it is still open, the
 * end of the piece, or one behind it where an escape goes on in the next.
 */
function stringEnd(bytes: Buffer, from: number, eachLine: boolean): number {
  const { length } = bytes
  let at = from
  while (at < length) {
    const near = Math.min(length, at + WALKED_BYTES)
    for (; at < near; at += 1) {
      const byte = bytes[at]
      if (byte === QUOTE) return at
      if (byte === BACKSLASH) at += 1
      else if (byte === NEWLINE && eachLine) return at
    }
    if (at >= length) break
    const quote = bytes.indexOf(QUOTE, at)
    const end = quote < 0 ? length : quote
    const newline = eachLine ? bytes.subarray(at, end).indexOf(NEWLINE) : -1
    if (newline >= 0) return at + newline
    const isEscaped = isOdd(slashesBefore(bytes, at, end))
    if (!isEscaped) return end
    at = end + 1
  }
  return at
}

const isOdd = (count: number): boolean => count % 2 === 1

function slashesBefore(bytes: Buffer, from: number, end: number): number {
  let first = end
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1
  return end - first
}
