import { decisionLine } from '../../ledger/decisions/decisions.ts'
import type { Decision, Ledger } from '../../ledger/ledger-value.ts'
import { quoteLine } from '../../text/quote.ts'
import { type Item, TIER } from '../item.ts'

const ANY = Number.POSITIVE_INFINITY
/** Older choices than these are worth no more than other context: the newer ones stand on them. */
const MOST_OF_USER = 9
const MOST_OF_ASSISTANT = 6

export function constraintItems({ constraints }: Ledger): Item[] {
  return constraints.map((rule, at) => ({
    text: quoteLine(rule.text, ANY),
    tier: TIER.constraint,
    rank: at,
    isQuote: true,
  }))
}

export function decisionItems({ decisions }: Ledger): Item[] {
  const newest = new Set<Decision>([
    ...decisions.filter(({ by }) => by === 'user').slice(-MOST_OF_USER),
    ...decisions.filter(({ by }) => by === 'assistant').slice(-MOST_OF_ASSISTANT),
  ])
  return decisions.map((decision, at): Item => {
    const text = quoteLine(decisionLine(decision), ANY)
    const own = decision.by === 'user' ? TIER.userDecision : TIER.decision
    return newest.has(decision)
      ? { text, tier: own, rank: at }
      : { text, tier: TIER.rest, rank: (decision.by === 'user' ? 90 : 30) + at / 1000 }
  })
}
