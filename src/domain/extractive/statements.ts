import { fold } from '../ledger/cues/patterns.ts'
import { proseLines } from '../text/prose.ts'
import { withoutBullet } from '../text/sentences.ts'
import type { Digest, Statement } from './digest.ts'

const SUBSTANTIVE = 80
const HEADING = /^#{1,6}\s+/

/** The last thing the assistant said that says something; the last thing at all when nothing is long enough. */
export function lastSubstantive(conversation: Digest): Statement | undefined {
  const said = conversation.statements
  return said.findLast((statement) => statement.text.length >= SUBSTANTIVE) ?? said.at(-1)
}

const TELLING = 24

/** The first sentence that says something; "Perfect!" and "Done." do not. */
export function firstTelling(statement: Statement): string | undefined {
  const { said } = statement
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
