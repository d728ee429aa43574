import { endsInStart, isBearer, isFlag, isTag, isUserinfo, namesSecret } from './signs/confirm.ts'
import { CHARACTERS, MAYBE, PAIRS, SIGNS } from './signs/pairs.ts'
import { fillUnits, MOST_UNITS, UNITS, type Units } from './signs/units.ts'

export { SIGNS }

/** So many units are looked at again with the next piece: no sign reaches further back. */
const AGAIN = 64

/**
 * What a text may hold that has to be taken off, defused or masked, as bits of `SIGNS`. A bit that is not set is certain: the
 * step that it stands for would give the text back as it is. One look at every pair of neighbours takes a fifth of the time
 * that a pattern for each step would (`npm run bench -- signs`). Linear.
 */
export function signsIn(text: string): number {
  let signs = 0
  let from = 0
  for (; text.length - from > MOST_UNITS; from += MOST_UNITS - AGAIN)
    signs |= scan([text.slice(from, from + MOST_UNITS)])
  signs |= scan([from === 0 ? text : text.slice(from)])
  // Whole pairs of surrogates are letters like others.
  return (signs & SIGNS.surrogate) === 0 || text.isWellFormed() ? signs & ~SIGNS.surrogate : signs | SIGNS.dirty
}

/** Whether each of some short texts is sure to hold nothing, with one look at all. */
export const areAllPlain = (texts: readonly string[]): boolean => scan(texts) === 0

/** Where pairs stood that may be signs. */
const found = new Int32Array(MOST_UNITS)

function scan(texts: readonly string[]): number {
  const length = fillUnits(texts)
  // Read off their module at every unit the tables would cost twice the time.
  const [units, maybe, characters, places] = [UNITS, MAYBE, CHARACTERS, found]
  let signs = 0
  let before = 0
  let count = 0
  // No branch: a place is written at every unit and stays only where it is one. A wrong guess of the processor's costs more.
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] ?? 0
    signs |= characters[unit] ?? 0
    places[count] = at
    count += maybe[((before << 8) ^ unit) & 0xffff] ?? 0
    before = unit
  }
  for (let each = 0; each < count; each += 1) signs |= confirmed(units, places[each] ?? 0)
  return signs
}

const pairAt = (units: Units, at: number): number => (((units[at - 1] ?? 0) << 8) ^ (units[at] ?? 0)) & 0xffff

/** Of the kinds that a pair can be of, those whose closer look holds. */
function confirmed(units: Units, at: number): number {
  const pair = PAIRS[pairAt(units, at)] ?? 0
  let signs = pair & SIGNS.certain
  if ((pair & SIGNS.named) !== 0 && namesSecret(units, at)) signs |= SIGNS.named
  if ((pair & SIGNS.vendor) !== 0 && endsInStart(units, at)) signs |= SIGNS.vendor
  if ((pair & SIGNS.bearer) !== 0 && isBearer(units, at)) signs |= SIGNS.bearer
  if ((pair & SIGNS.userinfo) !== 0 && isUserinfo(units, at)) signs |= SIGNS.userinfo
  if ((pair & SIGNS.flag) !== 0 && isFlag(units, at)) signs |= SIGNS.flag
  if ((pair & SIGNS.tag) !== 0 && isTag(units, at)) signs |= SIGNS.tag
  return signs
}
