import { contentWords, isSaidBy } from '../ledger/content-words.ts'
import { cutAtWord } from '../text/quote.ts'
import { utf8Length } from '../tokens/utf8.ts'
import type { AskedHeading } from './asked-headings.ts'
import { type Item, TIER } from './item.ts'
import { shortenPoints } from './shorten-points.ts'

/** A heading with its entries. */
export interface Section {
  readonly heading: AskedHeading
  readonly items: readonly Item[]
}

/** Bytes of the whole answer: `most` is never passed; what is worth less than modified files goes in up to `aim`. */
export interface Room {
  readonly most: number
  readonly aim: number
  /** The newest request keeps one part in this many when the room is used up (docs/spec/truth.md §6). */
  readonly newestShare: number
}

/** The most bytes that a number, a checkbox and the end of a line take. */
const MARK_BYTES = 10
/** The share of the goal is this many times smaller. */
const GOAL_SHARE = 8
const LEAST_SHARE_BYTES = 240
/** Shorter than this, a piece of a request says nothing. */
const LEAST_BYTES = 40

/** Which entries go in, with the text they go in with. */
export type Kept = ReadonlyMap<Item, string>

/**
 * Chooses the entries that fit into the room with `used` bytes of headings: by tier, whole, the newest first. Nothing of a
 * tier goes in when something of a higher one had to stay out; what another line says already stays out for good.
 */
export function chooseItems(sections: readonly Section[], used: number, room: Room): Kept {
  const ranked = sections.flatMap(({ items }) => items).sort((a, b) => a.tier - b.tier || b.rank - a.rank)
  const whole = choose(ranked, { used, room }, { shareOf: () => Number.POSITIVE_INFINITY, textOf: ({ text }) => text })
  // Only when something stays out are the newest request and the goal cut to their shares.
  const share = ({ tier }: Item): number => {
    if (tier === TIER.newest) return Math.max(LEAST_SHARE_BYTES, Math.floor(room.most / room.newestShare))
    return tier === TIER.goal
      ? Math.max(LEAST_SHARE_BYTES, Math.floor(room.most / GOAL_SHARE))
      : Number.POSITIVE_INFINITY
  }
  return whole.isComplete
    ? whole.kept
    : choose(ranked, { used, room }, { shareOf: share, textOf: ({ text, shorter }) => shorter ?? text }).kept
}

function choose(
  ranked: readonly Item[],
  { used, room }: { readonly used: number; readonly room: Room },
  { shareOf, textOf }: { readonly shareOf: (item: Item) => number; readonly textOf: (item: Item) => string },
): { kept: Map<Item, string>; isComplete: boolean } {
  const kept = new Map<Item, string>()
  const said: Line[] = []
  let left = room.most - used
  let lowest: number = TIER.rest
  for (const item of ranked) {
    if (item.tier > lowest) break
    const whole = textOf(item)
    const words = contentWords(whole)
    if (isTold(item, words, { kept, said })) continue
    const limit = item.tier > TIER.file ? left - (room.most - room.aim) : left
    const text = fitting(item, whole, Math.min(limit, shareOf(item)))
    if (text === undefined) {
      lowest = Math.min(lowest, item.tier)
      continue
    }
    kept.set(item, text)
    // What was cut off is not said.
    const told = text === whole ? words : contentWords(text)
    if (item.isRecord !== true) said.push({ words: told, isAsked: item.isShortenable === true })
    left -= weightOf(item, text)
  }
  return { kept, isComplete: lowest === TIER.rest }
}

interface Line {
  readonly words: ReadonlySet<string>
  /** It is a request: it says what somebody wanted, not what was done. */
  readonly isAsked: boolean
}

const weightOf = ({ lead }: Item, text: string): number => utf8Length(text) + (lead === undefined ? MARK_BYTES : 2)

function isTold(
  item: Item,
  words: ReadonlySet<string>,
  { kept, said }: { readonly kept: Kept; readonly said: readonly Line[] },
): boolean {
  if (item.isQuote === true) return false
  if (item.mostWithLead !== undefined && withLead(item.lead, kept) >= item.mostWithLead) return true
  if (item.isSaidByName === true) return [...kept.values()].some((text) => text.includes(item.text))
  if (item.lead !== undefined) return false
  // A long request names all that was done for it later: asked is not done.
  const isDone = item.tier === TIER.outcome || item.tier === TIER.change
  return said.some((other) => !(isDone && other.isAsked) && isSaidBy(words, other.words))
}

function withLead(lead: string | undefined, kept: Kept): number {
  let count = 0
  for (const item of kept.keys()) if (item.lead === lead) count += 1
  return count
}

/** The entry as it is, or the piece of it that has room where it may be shortened. */
function fitting(item: Item, text: string, bytes: number): string | undefined {
  if (weightOf(item, text) <= bytes) return text
  if (item.isShortenable !== true || bytes < LEAST_BYTES) return undefined
  const points = shortenPoints(text, bytes - MARK_BYTES)
  if (points !== null) return points
  let room = bytes - MARK_BYTES - 4
  // Other scripts take up to three bytes a character; a cut or two by the measured ratio makes it fit.
  for (let pass = 0; pass < 20 && room > 0; pass += 1) {
    const piece = `${cutAtWord(item.text, room).trimEnd()} …`
    const bytesOver = utf8Length(piece) + MARK_BYTES - bytes
    if (bytesOver <= 0) return piece
    room = Math.floor((room * bytes) / (bytes + bytesOver)) - 1
  }
  return undefined
}
