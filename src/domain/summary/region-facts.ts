import type { Conversation } from '../conversation/conversation.ts'
import { ledger } from '../ledger/ledger.ts'
import { type HardFact, ledgerFacts } from '../ledger/ledger-facts.ts'
import type { Ledger, Previous } from '../ledger/ledger-value.ts'
import { once } from '../once.ts'

/**
 * What holds at the end of a region, and how its user writes: judged, audited and stored by the same reading. Read when first
 * asked for: of the history of a split turn nobody asks, unless its answer has to be judged by facts.
 */
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
  const held = once(() => ledger(conversation, previous))
  const facts = once(() => ledgerFacts(held()))
  return {
    get held() {
      return held()
    },
    get facts() {
      return facts()
    },
    userWords,
  }
}
