import { parseJson } from '../parse-json.ts'

/** A value and the offset after it. */
export interface Read {
  readonly value: unknown
  readonly end: number
}

const MOST_DEPTH = 64
const LITERAL = /-?[\w.+-]{1,64}/y
const SPACE = /[ \t\r\n]*/y
const QUOTE_OR_ESCAPE = /["\\]/g

/**
 * Reads one JSON value at an offset, as far as it goes: a string that ends early is what is there, an object that ends
 * early has the keys read so far. Linear in what it reads; what is nested deeper than 64 is skipped, as null. Never throws.
 */
export function readJson(text: string, from: number, depth = 0): Read {
  const at = space(text, from)
  const first = text[at]
  if (first === '"') return readString(text, at)
  if (first === '{' || first === '[')
    return depth < MOST_DEPTH ? readNested(text, at, depth) : { value: null, end: endOfNested(text, at) }
  LITERAL.lastIndex = at
  const word = LITERAL.exec(text)?.[0]
  if (word === undefined) return { value: null, end: at }
  return { value: literal(word), end: at + word.length }
}

function space(text: string, from: number): number {
  SPACE.lastIndex = from
  return from + (SPACE.exec(text)?.[0].length ?? 0)
}

function literal(word: string): unknown {
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null' || word === 'undefined') return null
  const number = Number(word)
  return Number.isNaN(number) ? word : number
}

function readString(text: string, at: number): Read {
  let end = at + 1
  for (;;) {
    QUOTE_OR_ESCAPE.lastIndex = end
    const match = QUOTE_OR_ESCAPE.exec(text)
    if (match === null) return { value: unescaped(text.slice(at + 1)), end: text.length }
    if (match[0] === '"') return { value: wholeString(text.slice(at, match.index + 1)), end: match.index + 1 }
    end = match.index + 2
  }
}

/** The engine reads a whole string many times as fast; what it refuses (a line end, an escape of nobody's) is read by hand. */
function wholeString(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  const read = parseJson(quoted)
  return typeof read === 'string' ? read : unescaped(quoted.slice(1, -1))
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g
const SHORT: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(ESCAPE, (_, hex: string | undefined, char: string | undefined) =>
    hex === undefined ? (SHORT[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const BRACKET_OR_QUOTE = /["{}[\]]/g

/** Behind the bracket that closes the one at `at`, strings left aside; the end of the text when none does. */
export function endOfNested(text: string, at: number): number {
  let open = 0
  for (let from = at; ; ) {
    BRACKET_OR_QUOTE.lastIndex = from
    const match = BRACKET_OR_QUOTE.exec(text)
    if (match === null) return text.length
    from = match[0] === '"' ? readString(text, match.index).end : match.index + 1
    if (match[0] === '{' || match[0] === '[') open += 1
    else if (match[0] !== '"') open -= 1
    if (open === 0) return from
  }
}

function readNested(text: string, at: number, depth: number): Read {
  const isObject = text[at] === '{'
  const items: unknown[] = []
  const entries: [string, unknown][] = []
  let i = space(text, at + 1)
  while (i < text.length && text[i] !== '}' && text[i] !== ']') {
    const item = readJson(text, i, depth + 1)
    if (item.end === i) break
    i = space(text, item.end)
    if (isObject) {
      const value = text[i] === ':' ? readJson(text, i + 1, depth + 1) : { value: null, end: i }
      entries.push([String(item.value), value.value])
      i = space(text, value.end)
    } else items.push(item.value)
    if (text[i] === ',') i = space(text, i + 1)
  }
  const end = text[i] === '}' || text[i] === ']' ? i + 1 : i
  return { value: isObject ? Object.fromEntries(entries) : items, end }
}
