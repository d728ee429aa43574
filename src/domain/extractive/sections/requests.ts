import type { Ask, Ledger } from '../../ledger/ledger-value.ts'
import { LINE } from '../../ledger/previous/line-labels.ts'
import { quoteLine, quoteLines } from '../../text/quote.ts'
import { type Item, TIER } from '../item.ts'

const ANY = Number.POSITIVE_INFINITY
const ONLY_ONE = 'The request above is the only one so far.'

const newestOf = ({ asks }: Ledger): Ask | undefined => asks.find(({ isNewest }) => isNewest)

/** The newest request, verbatim, with what it answers where it is short. */
export function newestItems(ledger: Ledger): Item[] {
  const newest = newestOf(ledger)
  if (newest === undefined) return []
  const item: Item = {
    text: `${LINE.newest}${quoteLines(newest.text, ANY)}`,
    tier: TIER.newest,
    rank: 1,
    isShortenable: true,
    isQuote: true,
  }
  if (newest.answers === '') return [item]
  return [item, { text: `${LINE.answers}${quoteLines(newest.answers, ANY)}`, tier: TIER.rest, rank: 95 }]
}

/** The first request; where that is the newest one, too, it stands there. */
export function goalItems(ledger: Ledger, hasOwnNewest: boolean): Item[] {
  const { goal } = ledger
  if (goal === null) return []
  if (newestOf(ledger)?.text === goal.text)
    return hasOwnNewest ? [{ text: ONLY_ONE, tier: TIER.goal, rank: 0, isQuote: true }] : []
  return [
    {
      text: `${LINE.first}${quoteLines(goal.text, ANY)}`,
      tier: TIER.goal,
      rank: 1,
      isShortenable: true,
      isQuote: true,
    },
  ]
}

/** Requests between the two that no other section mentions. */
export function earlierAskItems({ asks, goal, outcomes }: Ledger): Item[] {
  const answered = new Set(outcomes.map(({ turn }) => turn))
  return asks
    .filter(
      ({ isNewest, text, turn, isCarried }) => !isNewest && !isCarried && text !== goal?.text && !answered.has(turn),
    )
    .map(({ text, turn }) => ({
      text: `${LINE.earlierAsk}${quoteLine(text, 240)}`,
      tier: TIER.rest,
      rank: 60 + fraction(turn),
    }))
}

/** Newer turns a little higher, whatever their number. */
export const fraction = (turn: number): number => turn / (turn + 1000)
