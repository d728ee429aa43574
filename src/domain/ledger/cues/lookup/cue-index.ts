import { fillUnits, MOST_UNITS, UNITS } from '../../../text/signs/units.ts'
import { AT_WORD, type CuePlace, type CueRow, cueRows, type IndexedCue, isCueAt, SMALL } from './cue-rows.ts'

export type { IndexedCue }

/** Units looked at again with the next piece: a beginning and what stands before it. */
const AGAIN = 8

/** What a word goes on behind. */
const IN_WORD = new Uint8Array(0x10000)
for (let unit = 0; unit < 0x80; unit += 1) if (/[a-z0-9]/i.test(String.fromCharCode(unit))) IN_WORD[unit] = 1

const ofThree = (first: number, second: number, third: number): number => (first * 961 + second * 31 + third) & 0x7fff
const ofFour = (three: number, fourth: number): number => (three * 31 + fourth) & 0x7fff
const ofTwo = (first: number, second: number): number => ((first << 8) ^ second) & 0xffff

/**
 * Where cues of some kinds may begin, by their first units: bit 0 inside of a word, bit 1 at its start. Small enough to stay in
 * the fastest memory.
 */
interface Look {
  readonly byOne: Uint8Array
  readonly byTwo: Uint8Array
  /** Of longer ones, too: what is looked up at every place. */
  readonly byThree: Uint8Array
  readonly byFour: Uint8Array
}
const INSIDE = 1
const AT_START = 2
/** In `byThree`, so many bits higher: three units are the whole beginning. */
const EXACTLY = 2

/** Rows by the units they begin with: of four and more, of three, of two, of one. */
interface Rows {
  readonly one: Map<number, CueRow[]>
  readonly two: Map<number, CueRow[]>
  readonly three: Map<number, CueRow[]>
  readonly four: Map<number, CueRow[]>
}

/**
 * Which kinds of cues a text may hold, of hundreds of phrases in all languages: the first characters of each are looked up at
 * every place, and only those phrases are tried that begin so. A tenth of the time of one pattern of all phrases
 * (`npm run bench -- micro`). A kind that is not found is certain not to be there. Linear.
 */
export class CueIndex {
  readonly #rows: Rows = { one: new Map(), two: new Map(), three: new Map(), four: new Map() }
  readonly #looks = new Map<number, Look>()
  readonly #places = new Int32Array(MOST_UNITS)

  constructor(cues: readonly IndexedCue[]) {
    for (const row of cueRows(cues)) {
      const [first = 0, second = 0, third = 0, fourth = 0] = row.beginning
      const { length } = row.beginning
      const three = ofThree(first, second, third)
      if (length > 3) addTo(this.#rows.four, ofFour(three, fourth), row)
      else if (length === 3) addTo(this.#rows.three, three, row)
      else if (length === 2) addTo(this.#rows.two, ofTwo(first, second), row)
      else addTo(this.#rows.one, first, row)
    }
  }

  /** Of the kinds asked for, those that the text may hold. */
  kindsIn(text: string, wanted: number): number {
    const look = this.#lookFor(wanted)
    const place: CuePlace = { text, from: 0, at: 0 }
    let found = 0
    for (let from = 0; from < text.length && found !== wanted; from += MOST_UNITS - AGAIN) {
      const length = fillUnits([text.length <= MOST_UNITS ? text : text.slice(from, from + MOST_UNITS)])
      const count = this.#find(length, look)
      place.from = from
      for (let each = 0; each < count && found !== wanted; each += 1) {
        place.at = this.#places[each] ?? 0
        found |= this.#kindsAt(place, look, wanted & ~found)
      }
      if (from + length >= text.length) break
    }
    return found
  }

  /** Places at which some cue may begin. No branch: a wrong guess of the processor's costs more than a place too many. */
  #find(length: number, { byThree, byTwo, byOne }: Look): number {
    // Read off the object and its module at every unit they would cost twice the time.
    const [units, small, inWord, places] = [UNITS, SMALL, IN_WORD, this.#places]
    let count = 0
    let before = 0
    let first = small[units[0] ?? 0] ?? 0
    let second = small[units[1] ?? 0] ?? 0
    for (let at = 0; at < length; at += 1) {
      const third = small[units[at + 2] ?? 0] ?? 0
      const entry =
        (byThree[ofThree(first, second, third)] ?? 0) | (byTwo[ofTwo(first, second)] ?? 0) | (byOne[first] ?? 0)
      places[count] = at
      count += (entry & (AT_START - (inWord[before] ?? 0))) === 0 ? 0 : 1
      before = first
      first = second
      second = third
    }
    return count
  }

  #kindsAt(place: CuePlace, look: Look, wanted: number): number {
    const { at } = place
    const first = smallAt(at)
    const second = smallAt(at + 1)
    const two = ofTwo(first, second)
    const three = ofThree(first, second, smallAt(at + 2))
    const four = ofFour(three, smallAt(at + 3))
    const inWord = at > 0 && IN_WORD[smallAt(at - 1)] === 1
    const counts = inWord ? INSIDE : AT_START
    // Cues of words are not asked for inside of one.
    const asked = inWord ? wanted : wanted | (wanted << AT_WORD)
    let found = 0
    if (((look.byFour[four] ?? 0) & counts) !== 0) found |= kindsOf(this.#rows.four.get(four), place, asked)
    if (((look.byThree[three] ?? 0) & (counts << EXACTLY)) !== 0)
      found |= kindsOf(this.#rows.three.get(three), place, asked)
    if (((look.byTwo[two] ?? 0) & counts) !== 0) found |= kindsOf(this.#rows.two.get(two), place, asked)
    if (((look.byOne[first] ?? 0) & counts) !== 0) found |= kindsOf(this.#rows.one.get(first), place, asked)
    return found
  }

  /** Made when a set of kinds is first asked for: there are a dozen such sets. */
  #lookFor(wanted: number): Look {
    const before = this.#looks.get(wanted)
    if (before !== undefined) return before
    const look: Look = {
      byOne: new Uint8Array(0x10000),
      byTwo: new Uint8Array(0x10000),
      byThree: new Uint8Array(0x8000),
      byFour: new Uint8Array(0x8000),
    }
    for (const [at, rows] of this.#rows.one) look.byOne[at] = countsOf(rows, wanted)
    for (const [at, rows] of this.#rows.two) look.byTwo[at] = countsOf(rows, wanted)
    for (const [at, rows] of this.#rows.three) look.byThree[at] = countsOf(rows, wanted) * (1 + (1 << EXACTLY))
    for (const [at, rows] of this.#rows.four) {
      look.byFour[at] = countsOf(rows, wanted)
      for (const row of rows) {
        const [first = 0, second = 0, third = 0] = row.beginning
        const three = ofThree(first, second, third)
        look.byThree[three] = (look.byThree[three] ?? 0) | countsOf([row], wanted)
      }
    }
    this.#looks.set(wanted, look)
    return look
  }
}

const smallAt = (at: number): number => SMALL[UNITS[at] ?? 0] ?? 0

function addTo(table: Map<number, CueRow[]>, at: number, row: CueRow): void {
  const rows = table.get(at)
  if (rows === undefined) table.set(at, [row])
  else rows.push(row)
}

/** Where rows count: at the start of a word all do. */
function countsOf(rows: readonly CueRow[], wanted: number): number {
  const asked = rows.filter(({ kind }) => (kind & wanted) !== 0)
  return (asked.length > 0 ? AT_START : 0) | (asked.some(({ isWord }) => !isWord) ? INSIDE : 0)
}

const NO_ROWS: readonly CueRow[] = []

/** `asked`: bits of kinds, sixteen higher those that count at the start of a word. */
function kindsOf(rows: readonly CueRow[] | undefined, place: CuePlace, asked: number): number {
  let found = 0
  for (const row of rows ?? NO_ROWS)
    if ((row.asked & asked) !== 0 && (row.kind & found) === 0 && isCueAt(row, place)) found |= row.kind
  return found
}
