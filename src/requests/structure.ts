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

/** This many plain bytes of a string are looked at one by one before its end is searched for: a search has its price. */
const SHORT_BYTES = 512
/** And so far it is searched at once: where a backslash comes soon, the quote may be far. */
const SEARCHED_BYTES = 16_384

/**
 * Counts values as JSON.parse would make them, one to three milliseconds a megabyte. Of a text that is not JSON it counts at
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
  let at = from
  while (at < bytes.length) {
    const near = Math.min(bytes.length, at + SHORT_BYTES)
    while (at < near) {
      const byte = bytes[at]
      if (byte === QUOTE || byte === BACKSLASH || (byte === NEWLINE && eachLine)) break
      at += 1
    }
    if (at === near) at = plainEnd(bytes, at, eachLine)
    else if (bytes[at] === BACKSLASH) at += 2
    else return at
  }
  return at
}

/** Where plain bytes that go on at `from` end, or where enough of them were seen. */
function plainEnd(bytes: Buffer, from: number, eachLine: boolean): number {
  let plain = bytes.subarray(from, from + SEARCHED_BYTES)
  for (const end of eachLine ? [QUOTE, BACKSLASH, NEWLINE] : [QUOTE, BACKSLASH]) {
    const at = plain.indexOf(end)
    if (at >= 0) plain = plain.subarray(0, at)
  }
  return from + plain.length
}
