import type { Conversation } from '../conversation/conversation.ts'
import { ledger } from '../ledger/ledger.ts'
import { type HardFact, ledgerFacts } from '../ledger/ledger-facts.ts'
import type { Ledger, Previous } from '../ledger/ledger-value.ts'

/** What holds at the end of a region, and how its user writes: judged, audited and stored by the same reading. */
export interface RegionFacts {
  readonly held: Ledger
  readonly facts: readonly HardFact[]
  readonly userWords: readonly string[]
}

/** The newest words of the user's; more than the language can be told by is not needed. */
const MOST_TURNS = 12

export function regionFacts(conversation: Conversation, previous?: Previous): RegionFacts {
  const userWords = conversation.turns
    .filter(({ speaker }) => speaker === 'user')
    .slice(-MOST_TURNS)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'words' ? [part.text] : [])))
  const held = ledger(conversation, previous)
  return { held, facts: ledgerFacts(held), userWords }
}
