import { SECRET_NAMES } from '../redact/secret-names.ts'
import { VENDOR_STARTS } from '../redact/vendor-keys.ts'
import { FRAME_NAMES } from '../structure/frames.ts'
import { EDITOR_TAG_START } from '../structure/wrappers.ts'
import { NO_UNIT, type Units } from './units.ts'

const codesOf = (chars: string): ReadonlySet<number> => new Set(Array.from(chars, (char) => char.charCodeAt(0)))

const TAB = 0x09
const SPACE = 0x20
const DASH = 0x2d
const SLASH = 0x2f
const COLON = 0x3a
const AT = 0x40
const ENDS = codesOf(' \t\n\r\v\f\u00a0/"\'`<>\\')
const ENDS_USERINFO = Uint8Array.from({ length: 0x100 }, (_, unit) => (ENDS.has(unit) ? 1 : 0))
const BLANK = codesOf(' \t\n\r\v\f\u00a0')
const MOST_QUOTES = 5
const MOST_SPACES = 2
const MOST_USERINFO = 322

const isBetween = (unit: number, from: number, to: number): boolean => unit >= from && unit <= to
const lowered = (unit: number): number => (isBetween(unit, 0x41, 0x5a) ? unit | 0x20 : unit)
const isLetter = (unit: number): boolean => isBetween(unit | 0x20, 0x61, 0x7a)
const isWord = (unit: number): boolean => isLetter(unit) || isBetween(unit, 0x30, 0x39) || unit === 0x5f

/** Whether the units that end at `at` are those of `text`, in any case: who looks closely minds the case where it matters. */
function endsIn(units: Units, at: number, text: string): boolean {
  for (let back = 0; back < text.length; back += 1) {
    if (lowered(units[at - back] ?? 0) !== lowered(text.charCodeAt(text.length - 1 - back))) return false
  }
  return true
}

/** The last three units of some texts in few bits: a look-up that settles nearly every question before a text is compared. */
class Endings {
  readonly #known = new Uint8Array(0x8000)
  readonly #byLast: ReadonlyMap<number, readonly string[]>

  constructor(texts: readonly string[]) {
    this.#byLast = Map.groupBy(texts, (text) => text.charCodeAt(text.length - 1))
    for (const text of texts) {
      const [third = 0, second = 0, last = 0] = Array.from(text.slice(-3), (char) => char.charCodeAt(0))
      this.#known[Endings.#key(third, second, last)] = 1
    }
  }

  static #key(third: number, second: number, last: number): number {
    return (third * 961 + second * 31 + last) & 0x7fff
  }

  /** The texts that may end with these units; undefined for none. */
  of(third: number, second: number, last: number): readonly string[] | undefined {
    return this.#known[Endings.#key(third, second, last)] === 0 ? undefined : this.#byLast.get(last)
  }
}

const NAMES = new Endings(SECRET_NAMES)
const STARTS = new Endings(VENDOR_STARTS)
const BEARER = 'bearer'

const isQuote = (unit: number): boolean =>
  unit === 0x22 || unit === 0x27 || unit === 0x60 || unit === 0x5c || unit === 0x5d

/** A separator at `at` after the name of a secret, quotes and blanks between them. */
export function namesSecret(units: Units, at: number): boolean {
  let end = at - 1
  if (units[end] === COLON) end -= 1
  for (let spaces = 0; spaces < MOST_SPACES && (units[end] === SPACE || units[end] === TAB); spaces += 1) end -= 1
  for (let quotes = 0; quotes < MOST_QUOTES && isQuote(units[end] ?? 0); quotes += 1) end -= 1
  if (end < 2) return false
  const names = NAMES.of(lowered(units[end - 2] ?? 0), lowered(units[end - 1] ?? 0), lowered(units[end] ?? 0))
  return names?.some((name) => endsIn(units, end, name)) ?? false
}

/** The last unit of how a vendor's keys begin, at no place inside a word. */
export function endsInStart(units: Units, at: number): boolean {
  if (at < 2) return false
  const starts = STARTS.of(units[at - 2] ?? 0, units[at - 1] ?? 0, units[at] ?? 0)
  return (
    starts?.some(
      (start) => endsIn(units, at, start) && !(isWord(start.charCodeAt(0)) && isWord(units[at - start.length] ?? 0)),
    ) ?? false
  )
}

/** `Bearer ` at its second letter. */
export function isBearer(units: Units, at: number): boolean {
  for (let ahead = 1; ahead < BEARER.length; ahead += 1) {
    const unit = units[at + ahead - 1] ?? NO_UNIT
    if (unit === NO_UNIT) return true
    if (lowered(unit) !== BEARER.charCodeAt(ahead)) return false
  }
  return true
}

/** `://` at its first slash, with an `@` before what ends a host. */
export function isUserinfo(units: Units, at: number): boolean {
  if (units[at + 1] !== SLASH) return false
  for (let ahead = at + 2; ahead <= at + 2 + MOST_USERINFO; ahead += 1) {
    const unit = units[ahead] ?? NO_UNIT
    // The piece ends first: nobody knows.
    if (unit === NO_UNIT || unit === AT) return true
    if (unit < 0x100 && ENDS_USERINFO[unit] === 1) return false
  }
  return false
}

/** `--name` or `-u ` at its second sign, at no place inside a word. */
export function isFlag(units: Units, at: number): boolean {
  const before = units[at - 2] ?? 0
  const after = units[at + 1] ?? NO_UNIT
  if (isWord(before) || before === DASH) return false
  return after === NO_UNIT || (units[at] === DASH ? isLetter(after) || after === DASH : BLANK.has(after))
}

const TAG_NAMES: ReadonlyMap<number, readonly string[]> = Map.groupBy(
  FRAME_NAMES.map((name) => name.toLowerCase()),
  (name) => name.charCodeAt(0),
)
const ENDS_NAME = codesOf('/> \t\n\r\v\f\u00a0')

/** `<` before the unit at `at`, and a whole name of the table after it or its slash. */
export function isTag(units: Units, at: number): boolean {
  const from = units[at] === SLASH ? at + 1 : at
  const names = TAG_NAMES.get(lowered(units[from] ?? 0))
  if (unitBehind(units, from, EDITOR_TAG_START) !== OTHER) return true
  return names?.some((name) => isNameAt(units, from, name)) ?? units[from] === NO_UNIT
}

const OTHER = -1

/** The unit after a text in small letters that stands at `at`; NO_UNIT where the piece ends before, OTHER where another stands there. */
function unitBehind(units: Units, at: number, text: string): number {
  for (let ahead = 0; ahead < text.length; ahead += 1) {
    const unit = units[at + ahead] ?? NO_UNIT
    if (unit === NO_UNIT) return NO_UNIT
    if (lowered(unit) !== text.charCodeAt(ahead)) return OTHER
  }
  return units[at + text.length] ?? NO_UNIT
}

function isNameAt(units: Units, from: number, name: string): boolean {
  const end = unitBehind(units, from, name)
  // Blanks beyond these are wide: nobody need look closely at one that is no tag.
  return end === NO_UNIT || end >= 0x1000 || ENDS_NAME.has(end)
}
