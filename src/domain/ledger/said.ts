import { sentencesOf, withoutBullet } from '../text/sentences.ts'
import { fold } from './cues/patterns.ts'

const RULE = /^[-*_=\s]{3,}$/
const HEADING = /^#{1,6}\s/

/** One sentence of the assistant, with its folded form for cues and whether it is an entry of a list. */
export interface Said {
  readonly sentence: string
  readonly folded: string
  readonly isItem: boolean
}

/** Sentences of lines of prose (`proseLines`), in order; headings and rules left out. */
export function saidIn(lines: readonly string[]): Said[] {
  return lines.flatMap((line) => {
    const bare = withoutBullet(line)
    if (bare === '' || RULE.test(bare) || HEADING.test(bare)) return []
    const isItem = bare !== line.trim()
    return sentencesOf(bare).map((sentence) => ({ sentence, folded: fold(sentence), isItem }))
  })
}
