import { CUES, LABELS, LABELS_ALONE } from '../../ledger/cues/patterns.ts'
import { quoteLine } from '../../text/quote.ts'
import { utf8Length } from '../../tokens/utf8.ts'
import type { Digest } from '../digest.ts'
import { distinct, type Item, recent, VALUE } from '../item.ts'
import { listedUnder } from '../statements.ts'

const MOST = 14
const LONGEST = 400
/** Bytes, not characters: a sentence of ten ideographs says as much as one of thirty letters. */
const SHORTEST_BYTES = 20

/** Decisions with their reason: sentences that begin like one, labelled lines, lists under a label. */
export function decisionItems(conversation: Digest): Item[] {
  const found: Item[] = []
  for (const statement of conversation.statements) {
    const value = recent(VALUE.decision, statement.at, conversation.length)
    for (const { sentence, folded } of statement.said) {
      if (utf8Length(sentence) < SHORTEST_BYTES || sentence.length > 2 * LONGEST || /[?:]$/.test(sentence)) continue
      if (CUES.decision.test(folded) || LABELS.decision.test(folded))
        found.push({ text: quoteLine(sentence, LONGEST), value })
    }
    for (const item of listedUnder(statement.text, (line) => LABELS_ALONE.decision.test(line), 10))
      found.push({ text: quoteLine(item, LONGEST), value })
  }
  return distinct(found).slice(-MOST)
}
