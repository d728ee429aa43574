import { fold } from './cues/patterns.ts'
import type { Digest, Statement } from './digest.ts'
import { proseLines } from './prose.ts'
import { sentencesOf, withoutBullet } from './sentences.ts'

const SUBSTANTIVE = 80
const RULE = /^[-*_=\s]{3,}$/
const HEADING = /^#{1,6}\s+/

/** The last thing the assistant said that says something; the last thing at all when nothing is long enough. */
export function lastSubstantive(conversation: Digest): Statement | undefined {
  const said = conversation.statements
  return said.findLast((statement) => statement.text.length >= SUBSTANTIVE) ?? said.at(-1)
}

/** One sentence of a statement, with where it stands. */
export interface Said {
  readonly sentence: string
  readonly folded: string
  readonly isItem: boolean
}

/** Sentences of the assistant's own words, in order; headings, rules, code and tables left out. */
export function saidIn(statement: Statement): Said[] {
  return proseLines(statement.text).flatMap((line) => {
    const bare = withoutBullet(line)
    if (bare === '' || RULE.test(bare) || HEADING.test(bare)) return []
    const isItem = bare !== line.trim()
    return sentencesOf(bare).map((sentence) => ({ sentence, folded: fold(sentence), isItem }))
  })
}

const TELLING = 24

/** The first sentence that says something; "Perfect!" and "Done." do not. */
export function firstTelling(statement: Statement): string | undefined {
  const said = saidIn(statement)
  return (said.find(({ sentence }) => sentence.length >= TELLING && !sentence.endsWith(':')) ?? said[0])?.sentence
}

/** The items of the list that follows a label line such as "Next steps:" or "## Next steps", for a test on folded lines. */
export function listedUnder(text: string, isLabel: (folded: string) => boolean, most: number): string[] {
  const items: string[] = []
  let listed = false
  for (const line of proseLines(text)) {
    const bare = withoutBullet(line)
    if (bare === '') continue
    const isItem = bare !== line.trim()
    if (isLabel(fold(bare.replace(HEADING, '')))) listed = true
    else if (!isItem) listed = false
    else if (listed && items.length < most) items.push(bare)
  }
  return items
}
