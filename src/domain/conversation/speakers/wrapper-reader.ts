import { FenceReader } from './fence-reader.ts'

/** A closed tag that stands alone on its lines; offsets in its text. */
export interface Wrapper {
  readonly name: string
  readonly attributes: string
  readonly start: number
  readonly bodyStart: number
  readonly bodyEnd: number
  readonly end: number
}

const OPENING = /<([A-Za-z][\w-]{1,60})( [^<>\n]{0,300})?>/g
const CLOSING = /<\/([A-Za-z][\w-]{1,60})>/g

/** The wrappers of a user's text in their order. Fences and closing tags are found once for the whole text, so that it is linear. */
export class WrapperReader {
  readonly #text: string
  readonly #fences: FenceReader
  readonly #closings: ReadonlyMap<string, Closings>

  constructor(text: string) {
    this.#text = text
    this.#fences = new FenceReader(text)
    this.#closings = closingsOf(text)
  }

  /** The next one from `from` on, which is the start of a row or the end of the wrapper before, at no place before the last one. */
  next(from: number): Wrapper | null {
    const text = this.#text
    this.#fences.restart(from)
    OPENING.lastIndex = from
    for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
      const [opening, name = '', attributes = ''] = match
      const bodyStart = match.index + opening.length
      if (match.index !== from && !startsLine(text, match.index)) continue
      const behind = this.#fences.endAround(match.index)
      if (behind !== null) {
        OPENING.lastIndex = behind
        continue
      }
      const bodyEnd = closingFrom(this.#closings.get(name), bodyStart)
      const end = bodyEnd + name.length + 3
      if (bodyEnd < 0 || !endsLine(text, end)) {
        OPENING.lastIndex = bodyStart
        continue
      }
      return { name, attributes, start: match.index, bodyStart, bodyEnd, end }
    }
    return null
  }
}

/** Where the closing tags of one name stand. */
interface Closings {
  readonly places: number[]
  next: number
}

function closingsOf(text: string): ReadonlyMap<string, Closings> {
  const found = new Map<string, Closings>()
  for (const { 1: name = '', index } of text.matchAll(CLOSING)) {
    const closings = found.get(name)
    if (closings === undefined) found.set(name, { places: [index], next: 0 })
    else closings.places.push(index)
  }
  return found
}

/** The first place that is not before `from`; -1 for none. Asked for places in their order. */
function closingFrom(closings: Closings | undefined, from: number): number {
  if (closings === undefined) return -1
  while ((closings.places[closings.next] ?? from) < from) closings.next += 1
  return closings.places[closings.next] ?? -1
}

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\r'

function startsLine(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isBlank(text[before]) && at - before < 40) before -= 1
  return before < 0 || text[before] === '\n'
}

/** Up to the end of the line, or to a wrapper that follows at once (`</bash-stdout><bash-stderr>`). */
function endsLine(text: string, at: number): boolean {
  let after = at
  while (after < text.length && isBlank(text[after]) && after - at < 40) after += 1
  return after >= text.length || text[after] === '\n' || (text[after] === '<' && after === at)
}
