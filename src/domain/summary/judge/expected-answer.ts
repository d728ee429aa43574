import type { HardFact } from '../../ledger/ledger-facts.ts'
import { askedHeadings } from '../../text/headings.ts'

/**
 * What an answer is judged by (docs/spec/truth.md §8). Plain data, so that it can cross a thread beside its prompt; made once, from
 * the conversation that the pipeline has read anyway.
 */
export interface ExpectedAnswer {
  /** Titles of the asked headings, each once. */
  readonly headings: readonly string[]
  /** What stands in the template for the model to replace, `[What the user wants]`. */
  readonly placeholders: readonly string[]
  readonly facts: readonly HardFact[]
  /** The newest words of the user's, for telling the language. */
  readonly userWords: string
  readonly previousSummary: string
}

// bounded: every match looks at 402 characters at most
const PLACEHOLDER = /\[[\p{Lu}"“][^\]\n]{14,400}\]/gu
const MOST_WORDS = 4_000

export function expectedAnswer(given: {
  readonly instructions: string
  readonly facts: readonly HardFact[]
  readonly userWords: readonly string[]
  readonly previousSummary?: string | undefined
}): ExpectedAnswer {
  const { instructions, facts, userWords, previousSummary = '' } = given
  return {
    headings: askedHeadings(instructions).map(({ title }) => title),
    placeholders: instructions.match(PLACEHOLDER) ?? [],
    facts,
    userWords: userWords.join('\n').slice(-MOST_WORDS),
    previousSummary,
  }
}

/** The same where only a part of the conversation was shown: facts of the whole are not expected, nor is the earlier summary. */
export function expectedOfPart(whole: ExpectedAnswer): ExpectedAnswer {
  return { ...whole, facts: [], previousSummary: '' }
}
