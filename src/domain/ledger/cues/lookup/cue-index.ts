import { fillUnits, MOST_UNITS, UNITS } from '../../../text/signs/units.ts'
import { beginningsOf, behindFirst } from './beginnings.ts'

/** A pattern in small letters, without what it looks back for. */
export interface IndexedCue {
  /** One bit of sixteen. */
  readonly kind: number
  readonly source: string
  /** It begins at the start of a word. */
  readonly isWord: boolean
}

interface Row {
  readonly kind: number
  readonly isWord: boolean
  /** Plain texts are compared: hundreds of small patterns would have to be compiled, and again whenever memory is short. */
  readonly literals: readonly string[]
  readonly pattern: RegExp | null
}

/** Entries of the tables: the kinds whose beginning counts anywhere, and above them those that count at the start of a word. */
const AT_WORD = 16
/** Units looked at again with the next piece: a beginning and what stands before it. */
const AGAIN = 8

/** Small letters of Latin, Greek, Cyrillic and Armenian script; others have none. */
const SMALL = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit)
for (let unit = 0; unit < 0x590; unit += 1) SMALL[unit] = String.fromCharCode(unit).toLowerCase().charCodeAt(0)
/** What a word goes on behind. */
const IN_WORD = new Uint8Array(0x10000)
for (let unit = 0; unit < 0x80; unit += 1) if (/[a-z0-9]/i.test(String.fromCharCode(unit))) IN_WORD[unit] = 1

const ofThree = (first: number, second: number, third: number): number => (first * 961 + second * 31 + third) & 0x7fff
const ofTwo = (first: number, second: number): number => ((first << 8) ^ second) & 0xffff

/**
 * Which kinds of cues a text may hold, of hundreds of phrases in all languages: the three characters that each begins with are
 * looked up at every place, and only those phrases are tried that begin so. A tenth of the time of one pattern of all phrases
 * (`npm run bench -- signs`). A kind that is not found is certain not to be there. Linear.
 */
export class CueIndex {
  readonly #three = new Uint32Array(0x8000)
  readonly #two = new Uint32Array(0x10000)
  readonly #one = new Uint32Array(0x10000)
  readonly #rows: Readonly<Record<1 | 2 | 3, Map<number, Row[]>>> = { 1: new Map(), 2: new Map(), 3: new Map() }
  readonly #places = new Int32Array(MOST_UNITS)

  constructor(cues: readonly IndexedCue[]) {
    const sources = new Map<string, { readonly cue: IndexedCue; readonly place: Place; readonly sources: string[] }>()
    for (const each of cues) {
      const { beginnings, ...cue } = withBeginnings(each)
      for (const beginning of beginnings) {
        const place = this.#enter(beginning, cue.isWord ? cue.kind << AT_WORD : cue.kind)
        const name = [place.length, place.at, cue.kind, cue.isWord].join(' ')
        const row = sources.get(name) ?? { cue, place, sources: [] }
        row.sources.push(cue.source)
        sources.set(name, row)
      }
    }
    for (const { cue, place, sources: all } of sources.values()) {
      const rows = this.#rows[place.length].get(place.at) ?? []
      const others = all.filter((source) => literalOf(source) === null)
      rows.push({
        kind: cue.kind,
        isWord: cue.isWord,
        literals: all.flatMap((source) => literalOf(source)?.toLowerCase() ?? []),
        // bounded: every match looks at 400 characters at most: no cue repeats without end (test/domain/ledger/cues/cues-bounded.test.ts)
        pattern: others.length === 0 ? null : new RegExp(others.join('|'), 'iuy'),
      })
      this.#rows[place.length].set(place.at, rows)
    }
  }

  /** Of the kinds asked for, those that the text may hold. */
  kindsIn(text: string, wanted: number): number {
    let found = 0
    for (let from = 0; from < text.length && found !== wanted; from += MOST_UNITS - AGAIN) {
      const length = fillUnits([text.length <= MOST_UNITS ? text : text.slice(from, from + MOST_UNITS)])
      const count = this.#find(length, wanted)
      for (let each = 0; each < count && found !== wanted; each += 1)
        found |= this.#kindsAt(text, { from, at: this.#places[each] ?? 0 }, wanted & ~found)
      if (from + length >= text.length) break
    }
    return found
  }

  /** Places at which some cue may begin. No branch: a wrong guess of the processor's costs more than a place too many. */
  #find(length: number, wanted: number): number {
    // Read off the object and its module at every unit they would cost twice the time.
    const [three, two, one, places] = [this.#three, this.#two, this.#one, this.#places]
    const [units, small, inWord] = [UNITS, SMALL, IN_WORD]
    const atWord = wanted | (wanted << AT_WORD)
    let count = 0
    let before = 0
    let first = small[units[0] ?? 0] ?? 0
    let second = small[units[1] ?? 0] ?? 0
    for (let at = 0; at < length; at += 1) {
      const third = small[units[at + 2] ?? 0] ?? 0
      const entry = (three[ofThree(first, second, third)] ?? 0) | (two[ofTwo(first, second)] ?? 0) | (one[first] ?? 0)
      places[count] = at
      count += (entry & (inWord[before] === 0 ? atWord : wanted)) === 0 ? 0 : 1
      before = units[at] ?? 0
      first = second
      second = third
    }
    return count
  }

  #kindsAt(text: string, { from, at }: { readonly from: number; readonly at: number }, wanted: number): number {
    const first = smallAt(at)
    const second = smallAt(at + 1)
    const threeAt = ofThree(first, second, smallAt(at + 2))
    const twoAt = ofTwo(first, second)
    const inWord = at > 0 && IN_WORD[UNITS[at - 1] ?? 0] === 1
    const counts = inWord ? wanted : wanted | (wanted << AT_WORD)
    const place = { text, at: from + at, inWord }
    let found = 0
    if (((this.#three[threeAt] ?? 0) & counts) !== 0) found |= kindsOf(this.#rows[3].get(threeAt), wanted, place)
    if (((this.#two[twoAt] ?? 0) & counts) !== 0) found |= kindsOf(this.#rows[2].get(twoAt), wanted, place)
    if (((this.#one[first] ?? 0) & counts) !== 0) found |= kindsOf(this.#rows[1].get(first), wanted, place)
    return found
  }

  #enter(beginning: string, entry: number): Place {
    const [first = 0, second = 0, third = 0] = Array.from(beginning, (char) => char.charCodeAt(0))
    const place: Place =
      beginning.length === 1
        ? { length: 1, at: first }
        : beginning.length === 2
          ? { length: 2, at: ofTwo(first, second) }
          : { length: 3, at: ofThree(first, second, third) }
    const table = { 1: this.#one, 2: this.#two, 3: this.#three }[place.length]
    table[place.at] = (table[place.at] ?? 0) | entry
    return place
  }
}

/** Where a beginning of so many characters stands in its table. */
interface Place {
  readonly length: 1 | 2 | 3
  readonly at: number
}

const smallAt = (at: number): number => SMALL[UNITS[at] ?? 0] ?? 0
const NO_ROWS: readonly Row[] = []

function kindsOf(
  rows: readonly Row[] | undefined,
  wanted: number,
  { text, at, inWord }: { readonly text: string; readonly at: number; readonly inWord: boolean },
): number {
  let found = 0
  for (const { kind, isWord, literals, pattern } of rows ?? NO_ROWS) {
    if ((kind & wanted & ~found) === 0 || (isWord && inWord)) continue
    if (isOneAt(literals, text, at) || matchesAt(pattern, text, at)) found |= kind
  }
  return found
}

function isOneAt(literals: readonly string[], text: string, at: number): boolean {
  for (const literal of literals) if (isAt(text, at, literal)) return true
  return false
}

function matchesAt(pattern: RegExp | null, text: string, at: number): boolean {
  if (pattern === null) return false
  pattern.lastIndex = at
  return pattern.test(text)
}

function isAt(text: string, at: number, literal: string): boolean {
  for (let i = 0; i < literal.length; i += 1)
    if ((SMALL[text.charCodeAt(at + i)] ?? 0) !== literal.charCodeAt(i)) return false
  return true
}

/** The text that a pattern without any choice is; null for all others. */
function literalOf(source: string): string | null {
  const plain = source.replace(/\\([^\p{L}\p{N}\s])/gu, '')
  return /[\\^$.*+?()[\]{}|]/.test(plain) ? null : source.replace(/\\(.)/gu, '$1')
}

/** A pattern whose beginning says nothing is looked for by what stands after that, inside of words, too. */
function withBeginnings(cue: IndexedCue): IndexedCue & { readonly beginnings: readonly string[] } {
  const beginnings = beginningsOf(cue.source)
  if (beginnings !== null) return { ...cue, beginnings }
  const source = behindFirst(cue.source)
  if (source === '') throw new Error('A cue has no beginning to be found by.')
  return withBeginnings({ ...cue, source, isWord: false })
}
