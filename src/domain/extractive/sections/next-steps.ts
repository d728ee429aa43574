import { CUES, LABELS, LABELS_ALONE } from '../../ledger/cues/patterns.ts'
import { quoteLine } from '../../text/quote.ts'
import type { Digest } from '../digest.ts'
import { distinct, type Item, VALUE } from '../item.ts'
import { listedUnder } from '../statements.ts'
import { todoList } from './todos.ts'

const MOST = 12
const LONGEST = 300
const RECENT_STATEMENTS = 3
const OPEN_BOX = /^\s*[-*]\s+\[ \]\s+(.{3,400})$/gm

/** What comes next: open tasks, open checkboxes, and "next" sentences of the last three statements only. */
export function nextStepItems(conversation: Digest): Item[] {
  const open = todoList(conversation)
    .filter((todo) => todo.state === 'open')
    .map((todo) => todo.text)
  const last = conversation.statements.slice(-RECENT_STATEMENTS)
  const said = last.flatMap((statement) => [
    ...[...statement.text.matchAll(OPEN_BOX)].map((match) => match[1] ?? ''),
    ...listedUnder(statement.text, (line) => LABELS_ALONE.next.test(line), MOST),
    ...statement.said
      .filter(
        ({ sentence, folded, isItem }) =>
          !/[?:]$/.test(sentence) && ((!isItem && CUES.next.test(folded)) || LABELS.next.test(folded)),
      )
      .map(({ sentence }) => sentence),
  ])
  return distinct([...open, ...said].map((text) => ({ text: quoteLine(text, LONGEST), value: VALUE.nextStep }))).slice(
    0,
    MOST,
  )
}
