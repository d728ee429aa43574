import { isDirty } from './signs/dirty.ts'

/** Colours, cursor moves and titles of a terminal say nothing to a model. A lone C1 introducer takes no letter with it. */
// bounded: each match looks at 2,000 characters at most, and at none of them twice: an escape ends it
const TERMINAL_CODE =
  /\u001b\[[0-9;:?]{0,32}[A-Za-z~@]|\u009b[0-9;:?]{1,32}[A-Za-z~@]|\u001b\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)/g
const LINE_END = /\r\n?/g
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
/** Everything but tab and newline; C1 controls included, since terminals obey some of them. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const BIDI = /[\u202a-\u202e\u2066-\u2069]/

/**
 * Text without control characters, terminal codes, lone surrogates and unbalanced bidi marks; line ends become newlines.
 * For what is read and for what models answer alike (docs/spec/hostile.md §5): by removal, linear, idempotent.
 */
export function cleanCharacters(text: string): string {
  if (!isDirty(text)) return text
  const clean = text.replace(LONE_SURROGATE, '').replace(TERMINAL_CODE, '').replace(LINE_END, '\n').replace(CONTROL, '')
  return balanceBidi(clean)
}

const CLOSES_EMBEDDING = 0x202c
const CLOSES_ISOLATE = 0x2069
const FIRST_ISOLATE = 0x2066

/** Takes off the marks of writing direction that open or close without their other half. */
export function balanceBidi(text: string): string {
  if (!BIDI.test(text)) return text
  const open: { readonly embeddings: number[]; readonly isolates: number[] } = { embeddings: [], isolates: [] }
  const dropped: number[] = []
  for (const { index } of text.matchAll(new RegExp(BIDI, 'g'))) {
    const code = text.charCodeAt(index)
    const same = code >= FIRST_ISOLATE ? open.isolates : open.embeddings
    if (code !== CLOSES_EMBEDDING && code !== CLOSES_ISOLATE) same.push(index)
    else if (same.pop() === undefined) dropped.push(index)
  }
  const unbalanced = [...dropped, ...open.embeddings, ...open.isolates]
  if (unbalanced.length === 0) return text
  let from = 0
  const parts = unbalanced
    .sort((one, other) => one - other)
    .map((at) => {
      const part = text.slice(from, at)
      from = at + 1
      return part
    })
  return parts.join('') + text.slice(from)
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** True when a cut at `at` would part a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))
}

/** A slice that parts no surrogate pair: both ends move inwards (docs/bug-log.md B110). */
export function sliceSafely(text: string, from: number, to: number): string {
  const start = splitsPair(text, from) ? from + 1 : from
  return text.slice(start, splitsPair(text, to) ? to - 1 : to)
}
