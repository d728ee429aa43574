import type { HardFact } from '../../ledger/ledger-facts.ts'
import { missingFacts } from '../missing-facts.ts'

/** Modified files count as at most so many facts together, else a long list of them would decide everything. */
const MOST_FILES = 3

/**
 * Which share of the facts an answer holds, 1 without any, and of how many (docs/spec/truth.md §8). Commands do not count: an answer
 * that tells what came of them need not repeat them.
 */
export function factShare(
  answer: string,
  facts: readonly HardFact[],
): { readonly share: number; readonly count: number } {
  const counted = facts.filter(({ kind }) => kind !== 'command')
  const missing = new Set(missingFacts(answer, counted))
  const files = counted.filter(({ kind }) => kind === 'file')
  const others = counted.filter(({ kind }) => kind !== 'file')
  const fileWeight = Math.min(files.length, MOST_FILES)
  const count = others.length + fileWeight
  if (count === 0) return { share: 1, count }
  const keptFiles = files.length === 0 ? 0 : files.filter((fact) => !missing.has(fact)).length / files.length
  const kept = others.filter((fact) => !missing.has(fact)).length + fileWeight * keptFiles
  return { share: kept / count, count }
}
