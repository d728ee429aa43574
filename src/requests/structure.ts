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
const SHORT_BYTES = 48

/**
 * Counts values as JSON.parse would make them, a few milliseconds a megabyte at worst. Of a text that is not JSON it counts at
 * least what a parser would have made before it gave up. Lines of a session file stand for themselves: what one of them leaves
 * open ends with it.
 */
export function structureScanner(mediaType: 'json' | 'ndjson'): StructureScanner {
  const eachLine = mediaType === 'ndjson'
  const state = { values: 0, depth: 0, deepest: 0, isInString: false, isEscaped: false, isInScalar: false }
  /** The next quote of this piece, where one was searched for. */
  let quoteAt = -1
  return {
    get values() {
      return state.values
    },
    get depth() {
      return state.deepest
    },
    read(bytes) {
      quoteAt = -1
      let at = 0
      while (at < bytes.length) {
        if (state.isInString) at = skipString(bytes, at)
        if (at < bytes.length) at = readValues(bytes, at)
      }
    },
  }

  /** Behind the string that goes on at `from`; the end of the piece while it is still open. */
  function skipString(bytes: Buffer, from: number): number {
    let at = state.isEscaped ? from + 1 : from
    state.isEscaped = false
    for (let searchAt = at + SHORT_BYTES; at < bytes.length; at += 1) {
      const byte = bytes[at]
      if (byte === QUOTE || (byte === NEWLINE && eachLine)) {
        state.isInString = false
        return byte === QUOTE ? at + 1 : at
      }
      if (byte === BACKSLASH) {
        at += 1
        if (at === bytes.length) state.isEscaped = true
      } else if (at === searchAt) {
        at = plainEnd(bytes, at) - 1
        searchAt = at + 1 + SHORT_BYTES
      }
    }
    return bytes.length
  }

  /** Reads up to the next string; the position after its quote. */
  function readValues(bytes: Buffer, from: number): number {
    let { values, depth, deepest, isInScalar } = state
    let at = from
    while (at < bytes.length && !state.isInString) {
      const byte = bytes[at] ?? SPACE
      at += 1
      const wasInScalar = isInScalar
      isInScalar = false
      if (byte === QUOTE) {
        values += 1
        state.isInString = true
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
    state.values = values
    state.depth = depth
    state.deepest = deepest
    state.isInScalar = isInScalar
    return at
  }

  /** Where the plain bytes of a string that go on at `from` end: at a quote, a backslash or, where lines count, a line's end. */
  function plainEnd(bytes: Buffer, from: number): number {
    // Looked for once: in a string of many backslashes each search would read to the same far quote.
    if (quoteAt < from) {
      const quote = bytes.indexOf(QUOTE, from)
      quoteAt = quote < 0 ? bytes.length : quote
    }
    const slash = bytes.subarray(from, quoteAt).indexOf(BACKSLASH)
    const end = slash < 0 ? quoteAt : from + slash
    const line = eachLine ? bytes.subarray(from, end).indexOf(NEWLINE) : -1
    return line < 0 ? end : from + line
  }
}
