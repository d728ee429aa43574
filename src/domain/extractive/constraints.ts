import { CUES, fold, LABELS, LABELS_ALONE } from './cues/patterns.ts'
import type { Digest } from './digest.ts'
import { type Item, recent, VALUE } from './item.ts'
import { proseLines } from './prose.ts'
import { quoteLine } from './quote.ts'
import { sentencesOf, withoutBullet } from './sentences.ts'

const MOST = 24
const LONGEST = 400
const SHORTEST = 8
const QUESTION = /[?？]["'”’»)\]]*$/
const CLAUSE = /[,;:，；：、]\s*|\s(?:and|but|y|pero|und|aber|et|mais|e|mas|и|но)\s/

/** The user's sentences of obligation or prohibition, quoted whole, oldest first. Questions, pasted code and logs are none. */
export function constraintItems(conversation: Digest): Item[] {
  const found: Item[] = []
  for (const ask of conversation.asks) {
    if (ask.trivial) continue
    for (const sentence of constraintSentences(ask.text)) {
      found.push({ text: quoteLine(sentence, LONGEST), value: recent(VALUE.constraint, ask.at, conversation.length) })
    }
  }
  return found.length <= MOST ? found : [...found.slice(0, MOST / 2), ...found.slice(-MOST / 2)]
}

function constraintSentences(text: string): string[] {
  const sentences: string[] = []
  let listed = false
  for (const line of proseLines(text)) {
    const bare = withoutBullet(line)
    if (bare === '') continue
    const isItem = bare !== line.trim()
    if (LABELS_ALONE.constraint.test(fold(bare))) {
      listed = true
      continue
    }
    if (!isItem) listed = false
    if (listed) sentences.push(bare)
    else sentences.push(...sentencesOf(bare).filter(isConstraint))
  }
  return sentences.filter((sentence) => sentence.length >= SHORTEST && sentence.length <= 2 * LONGEST)
}

/** A cue at the start of the sentence or of one of its clauses, or a strong one anywhere. */
export function isConstraint(sentence: string): boolean {
  if (QUESTION.test(sentence)) return false
  const folded = fold(sentence)
  if (folded.split(' ').length < 2 && folded.length < 12) return false
  if (CUES.constraint.test(folded) || CUES.strongConstraint.test(folded) || LABELS.constraint.test(folded)) return true
  return folded
    .split(CLAUSE)
    .slice(1)
    .some((clause) => clause.length >= SHORTEST && CUES.constraint.test(clause.trim()))
}
