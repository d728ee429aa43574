import { fold, LABELS, LABELS_ALONE } from '../../ledger/cues/patterns.ts'
import { constraintSentences } from '../../ledger/user-words.ts'
import { proseLines } from '../../text/prose.ts'
import { quoteLine } from '../../text/quote.ts'
import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import type { Digest } from '../digest.ts'
import { type Item, recent, VALUE } from '../item.ts'

const MOST = 24
const LONGEST = 400
const SHORTEST = 8
/** A request longer than this holds pasted text more often than not; then its middle lays nothing down. */
const LONG_ASK = 1500
const EDGE = 600

/** What the user laid down, quoted whole, oldest first: obligations, prohibitions, lists under a label like "Rules:". */
export function constraintItems(conversation: Digest): Item[] {
  const found: Item[] = []
  for (const ask of conversation.asks) {
    if (ask.trivial) continue
    const value = recent(VALUE.constraint, ask.at, conversation.length)
    for (const sentence of [...constraintSentences(ownPart(ask.text)), ...labelled(ask.text)]) {
      if (!sentence.endsWith(':')) found.push({ text: quoteLine(sentence, LONGEST), value })
    }
  }
  return found.length <= MOST ? found : [...found.slice(0, MOST / 2), ...found.slice(-MOST / 2)]
}

/** Beginning and end of a request whose middle looks pasted: many paragraphs, headings or tables. */
function ownPart(text: string): string {
  if (text.length <= LONG_ASK || !/\n#{1,6} |\n\s*\|.*\||\n\s*\d+\. /.test(text)) return text
  const head = text.slice(0, EDGE)
  const tail = text.slice(-EDGE)
  return `${head.slice(0, head.lastIndexOf('\n') + 1)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}

function labelled(text: string): string[] {
  const sentences: string[] = []
  let listed = false
  for (const line of proseLines(text)) {
    const bare = withoutBullet(line)
    if (bare === '') continue
    const folded = fold(bare)
    if (LABELS_ALONE.constraint.test(folded)) listed = true
    else if (bare === line.trim()) listed = false
    else if (listed) sentences.push(bare)
    if (LABELS.constraint.test(folded) && !LABELS_ALONE.constraint.test(folded))
      sentences.push(...sentencesOf(bare).slice(0, 1))
  }
  return sentences.filter((sentence) => sentence.length >= SHORTEST && sentence.length <= 2 * LONGEST)
}
