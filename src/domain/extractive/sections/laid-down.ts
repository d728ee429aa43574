import { decisionLine } from '../../ledger/decisions/decisions.ts'
import type { Decision, Ledger } from '../../ledger/ledger-value.ts'
import { quoteLine } from '../../text/quote.ts'
import { type Item, TIER } from '../item.ts'

const ANY = Number.POSITIVE_INFINITY
/** The assistant's choices beyond these are worth no more than other context. */
const MOST_OF_ASSISTANT = 9

export function constraintItems({ constraints }: Ledger): Item[] {
  return constraints.map(({ text }, at) => ({
    text: quoteLine(text, ANY),
    tier: TIER.constraint,
    rank: at,
    isQuote: true,
  }))
}

export function decisionItems({ decisions }: Ledger): Item[] {
  const assistant = decisions.filter(({ by }) => by === 'assistant')
  const newest = new Set<Decision>(assistant.slice(-MOST_OF_ASSISTANT))
  return decisions.map((decision, at) => {
    const tier = decision.by === 'user' ? TIER.userDecision : newest.has(decision) ? TIER.decision : TIER.rest
    return { text: quoteLine(decisionLine(decision), ANY), tier, rank: tier === TIER.rest ? 30 + at / 1000 : at }
  })
}
