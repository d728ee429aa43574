import { proseLines } from '../../text/prose.ts'
import { lastParagraph, quoteLine } from '../../text/quote.ts'
import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import type { Digest } from '../digest.ts'
import { type Item, recent, VALUE } from '../item.ts'
import { firstTelling } from '../statements.ts'
import { realAsks } from './goals.ts'

const LONGEST = 400
const MOST_RESOLVED = 8
const QUESTION = /[?？]["'”’»)\]*_]*$/

function questionsIn(text: string): string[] {
  return proseLines(text)
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) =>
      sentencesOf(withoutBullet(line)).filter((sentence) => QUESTION.test(sentence) && sentence.length > 5),
    )
}

/** The question nobody answered: of the user when the conversation ends with a turn of theirs, else of the assistant. */
export function openQuestionItems(conversation: Digest): Item[] {
  const ask = conversation.asks.at(-1)
  const statement = conversation.statements.at(-1)
  const lastStep = conversation.steps.at(-1)
  if (ask !== undefined && ask.at > (statement?.at ?? -1) && ask.at > (lastStep?.at ?? -1)) {
    return questionsIn(ask.text)
      .slice(-3)
      .map((question) => ({
        text: `Unanswered question of the user: ${quoteLine(question, LONGEST)}`,
        value: VALUE.question,
      }))
  }
  if (statement === undefined || !statement.closing || statement.at < (ask?.at ?? -1)) return []
  return questionsIn(lastParagraph(statement.text, 500))
    .slice(-2)
    .map((question) => ({
      text: `The assistant asked and waits for an answer: ${quoteLine(question, LONGEST)}`,
      value: VALUE.question,
    }))
}

/** Requests nobody has answered yet. */
export function pendingItems(conversation: Digest): Item[] {
  const ask = realAsks(conversation).at(-1)
  const questions = openQuestionItems(conversation)
  const begun =
    conversation.statements.some((said) => said.at > (ask?.at ?? -1)) ||
    conversation.steps.some((step) => step.at > (ask?.at ?? -1))
  if (ask === undefined || begun || questions.length > 0) return questions
  return [{ text: `Not begun: ${quoteLine(ask.text, LONGEST)}`, value: VALUE.question }]
}

/** Questions of the user with the first sentence of the answer that closed the turn. */
export function resolvedItems(conversation: Digest): Item[] {
  const items: Item[] = []
  conversation.asks.forEach((ask, i) => {
    const until = conversation.asks[i + 1]?.at ?? conversation.length
    const question = questionsIn(ask.text).at(-1)
    if (question === undefined) return
    const answer = conversation.statements.find((said) => said.closing && said.at > ask.at && said.at < until)
    const first = answer === undefined ? undefined : firstTelling(answer)
    if (first !== undefined)
      items.push({
        text: `${quoteLine(question, 200)} — ${quoteLine(first, 240)}`,
        value: recent(VALUE.resolved, ask.at, conversation.length),
      })
  })
  return items.slice(-MOST_RESOLVED)
}
