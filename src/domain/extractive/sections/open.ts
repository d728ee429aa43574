import type { Ledger, OpenStep } from '../../ledger/ledger-value.ts'
import { LINE } from '../../ledger/previous/line-labels.ts'
import { quoteLine } from '../../text/quote.ts'
import { type Item, TIER } from '../item.ts'

const ANY = Number.POSITIVE_INFINITY
/** The whole request stands under its own label; here it is only referred to. */
const REQUEST_MOST = 200
const FINISHED = 'Nothing is open: the last request was finished.'
/** Whoever said that it was finished may not have looked. */
const FINISHED_BUT = 'Nothing is open but what failed; the last request was called finished.'
const UNDER_WAY = `${LINE.underWay}the newest request was not finished when this part ended.`

/** Errors that hold; under another heading each says that it is one. */
export function blockedItems({ openErrors }: Ledger, isOwnSection: boolean): Item[] {
  return openErrors.map(({ what, text }, at) => ({
    text: `${isOwnSection ? '' : LINE.error}\`${what}\`: ${quoteLine(text, ANY)}`,
    tier: TIER.open,
    rank: at,
    isQuote: true,
  }))
}

/** The question that waits. */
export function questionItems({ question }: Ledger): Item[] {
  if (question === null) return []
  const label = question.by === 'user' ? LINE.unanswered : LINE.waits
  return [{ text: `${label}${quoteLine(question.text, ANY)}`, tier: TIER.open, rank: 100, isQuote: true }]
}

const LABELS: Partial<Record<OpenStep['kind'], string>> = {
  request: LINE.notBegun,
  proposal: LINE.proposal,
  'planned-earlier': LINE.planned,
}

/** What is next; where nothing is, what became of the last request. */
export function nextItems(ledger: Ledger): Item[] {
  const steps = ledger.openSteps.filter(({ kind }) => kind !== 'running')
  const items = steps.map(
    ({ kind, text }, at): Item => ({
      text: `${LABELS[kind] ?? ''}${quoteLine(text, kind === 'request' ? REQUEST_MOST : ANY)}`,
      tier: TIER.next,
      rank: 100 - at,
      isQuote: kind === 'request' ? true : undefined,
    }),
  )
  const isOpen = steps.some(({ kind }) => kind !== 'proposal' && kind !== 'planned-earlier')
  if (isOpen || ledger.question !== null || !ledger.asks.some(({ isNewest }) => isNewest)) return items
  const finished = ledger.openErrors.length === 0 ? FINISHED : FINISHED_BUT
  const text = ledger.isFinished ? finished : UNDER_WAY
  return [{ text, tier: TIER.next, rank: 101, isQuote: true }, ...items]
}
