import type { HardFact } from '../../ledger/ledger-facts.ts'
import { askedHeadings } from '../../text/headings.ts'
import type { RegionFacts } from '../region-facts.ts'

/**
 * What an answer is judged by (docs/spec/truth.md §8). Plain data, so that it can cross a thread beside its prompt; made once, from
 * the conversation that the pipeline has read anyway.
 */
export interface ExpectedAnswer {
  /** Titles of the asked headings, each once. */
  readonly headings: readonly string[]
  /** What stands in the template for the model to replace, `[What the user wants]`. */
  readonly placeholders: readonly string[]
  /** These and the words are found when first asked for, by who judges or by the thread that they cross to. */
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
  readonly region: Pick<RegionFacts, 'facts' | 'userWords'>
  readonly previousSummary?: string | undefined
}): ExpectedAnswer {
  const { instructions, region, previousSummary = '' } = given
  return {
    headings: askedHeadings(instructions).map(({ title }) => title),
    placeholders: instructions.match(PLACEHOLDER) ?? [],
    get facts() {
      return region.facts
    },
    get userWords() {
      return region.userWords.join('\n').slice(-MOST_WORDS)
    },
    previousSummary,
  }
}

/** The same where only a part of the conversation was shown: facts of the whole are not expected, nor is the earlier summary. */
export function expectedOfPart(whole: ExpectedAnswer): ExpectedAnswer {
  const { headings, placeholders, userWords } = whole
  return { headings, placeholders, userWords, facts: [], previousSummary: '' }
}
