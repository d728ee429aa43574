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
 * that a pattern for each step would (`npm run bench -- signs`). Linear.
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
export function signsInEach(texts: readonly string[]): Uint16Array {
  const found = new Uint16Array(texts.length)
  if (scan(fillUnits(texts)) === 0) return found
  let end = -1
  let each = 0
  for (const [index, text] of texts.entries()) {
    end += text.length + 1
    let signs = 0
    for (; each < placed && (places[each] ?? 0) <= end; each += 1) signs |= confirmed(UNITS, places[each] ?? 0)
    found[index] = told(text, signs)
  }
  return found
}

/** Whole pairs of surrogates are letters like others. */
const told = (text: string, signs: number): number =>
  (signs & SIGNS.surrogate) === 0 || text.isWellFormed() ? signs & ~SIGNS.surrogate : signs | SIGNS.dirty

/** Where the last look found signs, and how many. */
const places = new Int32Array(MOST_UNITS)
let placed = 0

/** All signs of the units that were filled in last; notes their places. */
function scan(length: number): number {
  const units = UNITS
  const count = narrowed(length, groupsIn(length))
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

const groups = new Int32Array(MOST_UNITS / GROUP + 1)

/** Notes the groups of four units in which a sign may stand; returns how many they are. */
function groupsIn(length: number): number {
  // Read off their module at every unit the tables would cost twice the time.
  const [units, maybe, found] = [UNITS, MAYBE, groups]
  let count = 0
  let before = 0
  // No branch: a place is written at every group and stays only where it is one. A wrong guess of the processor's costs more.
  for (let at = 0; at < length; at += GROUP) {
    const first = units[at] ?? 0
    const second = units[at + 1] ?? 0
    const third = units[at + 2] ?? 0
    const fourth = units[at + 3] ?? 0
    const signs =
      (maybe[((before << 8) ^ first) & 0xffff] ?? 0) |
      (maybe[((first << 8) ^ second) & 0xffff] ?? 0) |
      (maybe[((second << 8) ^ third) & 0xffff] ?? 0) |
      (maybe[((third << 8) ^ fourth) & 0xffff] ?? 0) |
      ((first | second | third | fourth) & 0xff00)
    found[count] = at
    count += signs === 0 ? 0 : 1
    before = fourth
  }
  return count
}

/** Notes the places in so many groups at which a sign may stand; returns how many they are. */
function narrowed(length: number, count: number): number {
  const [units, maybe, characters, found] = [UNITS, MAYBE, CHARACTERS, places]
  let near = 0
  for (let each = 0; each < count; each += 1) {
    const from = groups[each] ?? 0
    const to = Math.min(from + GROUP, length)
    for (let at = from; at < to; at += 1) {
      found[near] = at
      near += ((maybe[pairAt(units, at)] ?? 0) | (characters[units[at] ?? 0] ?? 0)) === 0 ? 0 : 1
    }
  }
  return near
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
