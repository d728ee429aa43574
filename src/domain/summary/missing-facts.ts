import type { HardFact } from '../ledger/ledger-facts.ts'
import { tailsOf } from '../text/path-tokens.ts'
import { indexAnswer, mentions, mentionsFile } from './mentions.ts'

/** The facts that an answer does not say, in their order. */
export function missingFacts(answer: string, facts: readonly HardFact[]): HardFact[] {
  const index = indexAnswer(answer)
  const tails = new Map<string, number>()
  for (const fact of facts) {
    if (fact.kind !== 'file') continue
    for (const tail of tailsOf(fact.text)) tails.set(tail, (tails.get(tail) ?? 0) + 1)
  }
  const isUnique = (tail: string): boolean => tails.get(tail) === 1
  return facts.filter((fact) => {
    if (fact.kind === 'file') return !mentionsFile(index, fact.probe, isUnique)
    return !mentions(index, fact.probe, fact.kind === 'goal' ? IN_SPIRIT : undefined)
  })
}

/** A goal lives on in other words; its names and numbers stand in requests that came later. */
const IN_SPIRIT = { words: 0.61, hard: 0, isAnywhere: true } as const
