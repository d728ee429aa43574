import { isProjectRule } from '../../ledger/constraints/project-rules.ts'
import { decisionLine } from '../../ledger/decisions/decisions.ts'
import type { Decision, Ledger } from '../../ledger/ledger-value.ts'
import { quoteLine } from '../../text/quote.ts'
import { type Item, TIER } from '../item.ts'

/** Before everything else of its tier. */
const FIRST = 1e6
const ANY = Number.POSITIVE_INFINITY
/** Older choices than these are worth no more than other context: the newer ones stand on them. */
const MOST_OF_USER = 9
const MOST_OF_ASSISTANT = 6

export function constraintItems({ constraints }: Ledger): Item[] {
  return constraints.map((rule, at) => ({
    text: quoteLine(rule.text, ANY),
    // What the project wants is found in its documents again; what a user said is nowhere else.
    tier: isProjectRule(rule) ? TIER.outcome : TIER.constraint,
    rank: isProjectRule(rule) ? FIRST + at : at,
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
