import { proseLines } from '../text/prose.ts'
import { sentencesOf, withoutBullet } from '../text/sentences.ts'
import type { Ledger } from './ledger-value.ts'
import type { Saying, Timeline } from './timeline.ts'

const QUESTION = /[?？؟]["'”’»)\]*_]*$/
/** Politeness at the end of an answer asks for nothing. */
const POLITE =
  /\b(?:anything else|something else|what(?:'s| is| would you like) (?:next|to do next)|(?:how|what) (?:else )?can i (?:help|do)|need (?:any|more) (?:help|changes)|any (?:other )?questions)\b|noch etwas|algo más|autre chose|还有.{0,6}(?:吗|需要)|wie kann ich (?:dir|ihnen|euch)? ?helfen|en qué (?:te |le )?puedo ayudar|comment puis-je (?:vous |t')?aider|come posso aiutar|como posso ajudar|чем (?:я )?(?:могу )?помочь|nasıl yardımcı|كيف (?:يمكنني|أستطيع) مساعد|कैसे मदद|我?能帮你|何を(?:お手伝い|しましょう)|도와\s?드릴|他に何か|다른.{0,10}(?:있|필요)/i
/** A question further up is answered by what follows it. */
const LAST_LINES = 5

/** The question that nobody has answered at the end: of the user when a turn of theirs is the last thing said, else of the assistant. */
export function waitingQuestion({ turns, sayings, acts, answers }: Timeline): Ledger['question'] {
  const turn = turns.at(-1)
  const saying = sayings.at(-1)
  const lastAct = acts.at(-1)
  if (turn !== undefined && turn.at > (saying?.at ?? -1) && turn.at > (lastAct?.at ?? -1)) {
    const asked = questionsIn(turn.text).at(-1)
    return asked === undefined ? null : { by: 'user', text: asked }
  }
  if (lastAct?.call.tool === 'ask' && lastAct.result === undefined && lastAct.at > (answers.at(-1)?.at ?? -1)) {
    const text = askedByTool(lastAct.call.arguments)
    return text === '' ? null : { by: 'assistant', text }
  }
  if (saying === undefined || !saying.isClosing || saying.at < (turn?.at ?? -1)) return null
  const text = closingQuestion(saying)
  return text === '' ? null : { by: 'assistant', text }
}

/** The question that a message of the assistant ends with, '' where it ends otherwise. */
export function closingQuestion({ text }: Pick<Saying, 'text'>): string {
  const asked = questionsIn(text, LAST_LINES).filter((question) => !POLITE.test(question))
  return asked.at(-1) ?? ''
}

/** The question of an ask tool, whatever the tool calls it. */
export function askedByTool(args: Readonly<Record<string, unknown>>): string {
  for (const name of ['question', 'prompt', 'message', 'text']) {
    const value = args[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  const list = args['questions']
  if (!Array.isArray(list)) return ''
  return list
    .slice(0, 4)
    .flatMap((each: unknown) => {
      const asked = typeof each === 'object' && each !== null && 'question' in each ? each.question : each
      return typeof asked === 'string' ? asked.trim() : []
    })
    .join(' ')
}

function questionsIn(text: string, lastLines = Number.POSITIVE_INFINITY): string[] {
  const lines = proseLines(text).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines
    .slice(-lastLines)
    .flatMap((line) =>
      sentencesOf(withoutBullet(line)).filter((sentence) => QUESTION.test(sentence) && sentence.length > 5),
    )
}
