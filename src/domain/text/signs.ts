import { endsInStart, isBearer, isFlag, isTag, isUserinfo, namesSecret } from './signs/confirm.ts'
import { CHARACTERS, MAYBE, PAIRS, SIGNS } from './signs/pairs.ts'
import { fillUnits, MOST_UNITS, UNITS, type Units } from './signs/units.ts'

export { SIGNS }

/** So many units are looked at again with the next piece: no sign reaches further back. */
const AGAIN = 64
/** So many units are looked at in one go. */
const GROUP = 4

/**
 * What a text may hold that has to be taken off, defused or masked, as bits of `SIGNS`. A bit that is not set is certain: the
 * step that it stands for would give the text back as it is. One look at every pair of neighbours takes a tenth of the time
 * that a pattern for each step would (`npm run bench -- micro`). Linear.
 */
export function signsIn(text: string): number {
  let signs = 0
  let from = 0
  for (; text.length - from > MOST_UNITS; from += MOST_UNITS - AGAIN)
    signs |= scan(fillUnits([text.slice(from, from + MOST_UNITS)]))
  signs |= scan(fillUnits([from === 0 ? text : text.slice(from)]))
  return told(text, signs)
}

/** `signsIn` each of some texts, at most `MOST_UNITS` together with a unit between them: one look at all. */
export function signsInEach(texts: readonly string[]): readonly number[] {
  scan(fillUnits(texts))
  const found: number[] = []
  let end = -1
  let each = 0
  for (const text of texts) {
    end += text.length + 1
    let signs = 0
    for (; each < placed && (places[each] ?? 0) <= end; each += 1) signs |= confirmed(UNITS, places[each] ?? 0)
    found.push(told(text, signs))
  }
  return found
}

/** Whole pairs of surrogates are letters like others. */
const told = (text: string, signs: number): number =>
  (signs & SIGNS.surrogate) === 0 || text.isWellFormed() ? signs & ~SIGNS.surrogate : signs | SIGNS.dirty

/** Where the last look found signs, and how many. */
const places = new Int32Array(MOST_UNITS + GROUP)
let placed = 0

/** All signs of the units that were filled in last; notes their places. */
function scan(length: number): number {
  const units = UNITS
  const count = placesIn(length)
  let signs = 0
  placed = 0
  for (let each = 0; each < count; each += 1) {
    const at = places[each] ?? 0
    const sign = confirmed(units, at)
    if (sign === 0) continue
    signs |= sign
    places[placed] = at
    placed += 1
  }
  return signs
}

/** Notes the places at which a sign may stand; returns how many they are. Behind the end there is none. */
function placesIn(length: number): number {
  // Read off their module at every unit the tables would cost twice the time.
  const [units, maybe, characters, found] = [UNITS, MAYBE, CHARACTERS, places]
  let count = 0
  let before = 0
  // One branch for four units, nearly always the same one: a wrong guess of the processor's costs more than all the look-ups.
  for (let at = 0; at < length; at += GROUP) {
    const first = units[at] ?? 0
    const second = units[at + 1] ?? 0
    const third = units[at + 2] ?? 0
    const fourth = units[at + 3] ?? 0
    const toFirst = maybe[((before << 8) ^ first) & 0xffff] ?? 0
    const toSecond = maybe[((first << 8) ^ second) & 0xffff] ?? 0
    const toThird = maybe[((second << 8) ^ third) & 0xffff] ?? 0
    const toFourth = maybe[((third << 8) ^ fourth) & 0xffff] ?? 0
    before = fourth
    if ((toFirst | toSecond | toThird | toFourth | ((first | second | third | fourth) & 0xff00)) === 0) continue
    // Here it could not guess: a place is written for every unit and stays only where it is one.
    found[count] = at
    count += (toFirst | (characters[first] ?? 0)) === 0 ? 0 : 1
    found[count] = at + 1
    count += (toSecond | (characters[second] ?? 0)) === 0 ? 0 : 1
    found[count] = at + 2
    count += (toThird | (characters[third] ?? 0)) === 0 ? 0 : 1
    found[count] = at + 3
    count += (toFourth | (characters[fourth] ?? 0)) === 0 ? 0 : 1
  }
  return count
}

/** What no array holds is never asked of one: the engine would read it slowly ever after. */
const pairAt = (units: Units, at: number): number =>
  (((at === 0 ? 0 : (units[at - 1] ?? 0)) << 8) ^ (units[at] ?? 0)) & 0xffff

/** Of the kinds that a pair can be of, those whose closer look holds, and what the character itself is. */
function confirmed(units: Units, at: number): number {
  const pair = PAIRS[pairAt(units, at)] ?? 0
  let signs = CHARACTERS[units[at] ?? 0] ?? 0
  if (pair === 0) return signs
  signs |= pair & SIGNS.certain
  if ((pair & SIGNS.named) !== 0 && namesSecret(units, at)) signs |= SIGNS.named
  if ((pair & SIGNS.vendor) !== 0 && endsInStart(units, at)) signs |= SIGNS.vendor
  if ((pair & SIGNS.bearer) !== 0 && isBearer(units, at)) signs |= SIGNS.bearer
  if ((pair & SIGNS.userinfo) !== 0 && isUserinfo(units, at)) signs |= SIGNS.userinfo
  if ((pair & SIGNS.flag) !== 0 && isFlag(units, at)) signs |= SIGNS.flag
  if ((pair & SIGNS.tag) !== 0 && isTag(units, at)) signs |= SIGNS.tag
  return signs
}
