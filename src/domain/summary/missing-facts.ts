import type { HardFact } from '../ledger/hard-facts.ts'
import { indexAnswer, mentions, mentionsFile, tailsOf } from './mentions.ts'

/** The facts that an answer does not say, in their order. */
export function missingFacts(answer: string, facts: readonly HardFact[]): HardFact[] {
  const index = indexAnswer(answer)
  const tails = new Map<string, number>()
  for (const fact of facts) {
    if (fact.kind !== 'file') continue
    for (const tail of tailsOf(fact.text)) tails.set(tail, (tails.get(tail) ?? 0) + 1)
  }
  const isUnique = (tail: string): boolean => tails.get(tail) === 1
  return facts.filter(
    (fact) => !(fact.kind === 'file' ? mentionsFile(index, fact.probe, isUnique) : mentions(index, fact.probe)),
  )
}
