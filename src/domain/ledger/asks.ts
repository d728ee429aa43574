import { lastParagraph } from '../text/quote.ts'
import { utf8Length } from '../tokens/utf8.ts'
import type { Ask, LedgerItem } from './ledger-value.ts'
import type { Timeline, UserTurn } from './timeline.ts'

/** Bytes: three ideographs say as much as a dozen letters. A greeting before it is not a goal. */
const TELLING_BYTES = 12
/** A request shorter than this often only picks what the assistant proposed. */
const SHORT_REQUEST = 80
const PROPOSAL_MOST = 600
/** What terminals draw says as much with three signs as with a hundred. */
const RULER = /([─━═=_*~.-])\1{11,}/g

/** Requests in the user's words, oldest first; the newest is marked (docs/spec/truth.md §5). `carried`: of the generation before. */
export function asksOf(timeline: Timeline, carried: readonly LedgerItem[]): Ask[] {
  const turns = timeline.turns.filter(({ isTrivial }) => !isTrivial)
  const refusals = timeline.answers.filter(({ isRefusal }) => isRefusal)
  const said = [...turns, ...refusals].sort((a, b) => a.at - b.at)
  const newest = said.at(-1) ?? timeline.turns.at(-1)
  const own = said.length === 0 && newest !== undefined && carried.length === 0 ? [newest] : said
  const asks = own.map(
    (turn): Ask => ({
      text: turn.text.replace(RULER, '$1$1$1'),
      turn: turn.number,
      isNewest: turn === own.at(-1),
      answers: turn === own.at(-1) ? answered(turn, timeline) : '',
      isCarried: false,
    }),
  )
  const before = carried.map(
    ({ text, turn }, i): Ask => ({
      text,
      turn,
      isNewest: asks.length === 0 && i === carried.length - 1,
      answers: '',
      isCarried: true,
    }),
  )
  return [...before, ...asks]
}

/** The request it all began with. */
export function goalOf(asks: readonly Ask[], carried: LedgerItem | null): LedgerItem | null {
  if (carried !== null) return carried
  const first = asks.find(({ text }) => utf8Length(text) >= TELLING_BYTES) ?? asks[0]
  return first === undefined ? null : { text: first.text, turn: first.turn }
}

/** What a short request answers: without it nobody knows what "the second one" was. */
function answered(turn: Pick<UserTurn, 'at' | 'text'>, timeline: Timeline): string {
  if (turn.text.length > SHORT_REQUEST) return ''
  const before = timeline.sayings.findLast(({ at, text }) => at < turn.at && text.length > 20)
  return before === undefined ? '' : lastParagraph(before.text, PROPOSAL_MOST)
}
