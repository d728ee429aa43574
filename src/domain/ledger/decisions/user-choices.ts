import { proseLines } from '../../text/prose.ts'
import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import { CUE_KINDS } from '../cues/any-cue.ts'
import { fold, isChoice, LABELS_ALONE } from '../cues/patterns.ts'
import type { Decision } from '../ledger-value.ts'
import { listedUnder } from '../listed-under.ts'
import { askedByTool, closingQuestion } from '../question.ts'
import type { Saying, Timeline, UserAnswer, UserTurn } from '../timeline.ts'
import { isTrivialTurn } from '../trivial-turn.ts'

/** An answer longer than this is a request of its own; then only its sentences that choose count. */
const ANSWER_MOST = 700
/** Each is compared with all others before two dozen are chosen. */
const MOST = 400
const MOST_EACH = 3
const SHORTEST = 4
const LONGEST = 1200
const QUESTION = /[?？؟]["'”’)]{0,2}\s*$/
/** Questions without a question mark. */
const ASKS_AT_START =
  /^(?:(?:so|and|but|wait|hm{2,8}|ok|okay|also)[,\s]{1,4}){0,4}(?:what|why|how|where|when|who|which|whose|is (?:it|this|that|there)|are (?:we|there|you|they)|do (?:we|you|i)|does|did|can (?:you|we|i)|could (?:you|we)|would (?:you|it)|should (?:we|i)|have (?:you|we)|was|were|warum|wieso|wie|wo|wer|was|welche\w{0,2}|por qué|cómo|qué|dónde|cuál|pourquoi|comment|quel\w{0,3}|où|por que|como|onde|qual|perché|come|dove|quale|почему|как|где|что|какой|neden|nasıl|nerede|ne|hangi)\s/iu
const ASKS_AT_END =
  /(?:뭐임|뭐야|뭔데|뭐지|어디임|어디야|어때|인가|나요|까요|는지|을까|ㄹ까|吗|呢|什么|为什么|怎么|ですか|ますか|でしょうか|क्या|क्यों|कैसे)\s{0,4}[.。]?$/u
/** Output that was pasted chooses nothing. */
// bounded: an answer of at most 700 characters
const PASTED = /^\s*(?:>|```|\$ |fatal: |error: |Traceback)|\n```|\S@\S{1,60} .{0,80}[%$#] /
/** Begins with a number, or says that it answers. */
const NUMBERED =
  /^\s{0,4}(?:\d{1,2}[.):]?[ \t]|\d{1,2}번|(?:question|point|frage|punkt|pregunta|domanda|pergunta|вопрос|soru) \d)|^.{0,60}(?:\banswers?\b|\bantwort|\brespuesta|\bréponse|\brisposta|\bresposta|ответ|cevap|إجاب|उत्तर|답|回答|答え)/i
const EACH_NUMBERED = /^[ \t#*]{0,8}\d{1,2}[.):번]?[* \t]/gm
/** How much of the end of a message can hold the points that are answered. */
const NUMBERED_IN = 4000
const MOST_LISTED = 10
const THANKS =
  /^(?:thanks?|thank you|thx|hi|hello|hey|danke|hallo|gracias|hola|merci|bonjour|obrigad[oa]|olá|grazie|ciao|谢谢|谢|你好|ありがとう|こんにちは|고마워|감사|안녕|спасибо|привет|teşekkürler|merhaba|شكرا|مرحبا|धन्यवाद|नमस्ते)\b/iu
const PICKED = /"([^"\n]{1,600})"\s*=\s*"([^"\n]{1,1200})"/g

const isAsking = (text: string): boolean => ASKS_AT_START.test(text) || ASKS_AT_END.test(text)

/** Choices, vetoes, corrections and answers of the user, oldest first (docs/spec/truth.md §4). */
export function userChoices(timeline: Timeline): Decision[] {
  const picked = timeline.answers.flatMap((answer) => ofTool(answer).map((decision) => ({ at: answer.at, decision })))
  const closings = timeline.sayings.filter(({ isClosing }) => isClosing)
  let passed = 0
  const said = timeline.turns.flatMap((turn) => {
    // Turns and closing messages both stand in their order: one walk over the two, whatever their number.
    while ((closings[passed]?.at ?? turn.at) < turn.at) passed += 1
    return ofTurn(turn, closings[passed - 1]).map((decision) => ({ at: turn.at, decision }))
  })
  const all = [...picked, ...said].sort((a, b) => a.at - b.at)
  return all.slice(-MOST).map(({ decision }) => decision)
}

const made = (turn: number, text: string, question: string): Decision => ({
  text,
  turn,
  question,
  by: 'user',
  isCarried: false,
})

function ofTool({ text, number, isRefusal, call }: UserAnswer): Decision[] {
  if (isRefusal) return [made(number, text, '')]
  const pairs = Array.from(text.matchAll(PICKED), ([, question = '', answer = '']) => made(number, answer, question))
  return pairs.length > 0 ? pairs : [made(number, text, call === null ? '' : askedByTool(call.arguments))]
}

/** `before`: the closing message that the turn follows. */
function ofTurn(turn: UserTurn, before: Saying | undefined): Decision[] {
  const text = turn.text
  const question = before === undefined || before.number !== turn.number - 1 ? '' : closingQuestion(before)
  const answer = question === '' ? '' : withoutQuestion(text)
  if (
    answer !== '' &&
    !isAsking(answer) &&
    text.length <= ANSWER_MOST &&
    !PASTED.test(text) &&
    !THANKS.test(text) &&
    !text.startsWith('/')
  )
    return [made(turn.number, answer, question)]
  const { cues } = turn
  const listed =
    (cues & CUE_KINDS.decision) !== 0
      ? listedUnder(proseLines(text), (line) => LABELS_ALONE.decision.test(line), MOST_LISTED)
      : []
  if (listed.length > 0) return listed.map((entry) => made(turn.number, entry, ''))
  // The first request opens a subject and answers nothing.
  if (turn.isTrivial || before === undefined) return []
  if (answersByNumber(text, before)) return [made(turn.number, text, '')]
  return (cues & CUE_KINDS.choice) === 0 ? [] : choosing(text).map((sentence) => made(turn.number, sentence, ''))
}

/** "1 the first, 2 in March": answers to questions or points that were numbered. */
function answersByNumber(text: string, before: Saying): boolean {
  if (text.length > LONGEST || !NUMBERED.test(text)) return false
  return linesNumbered(text) > 1 && linesNumbered(before.text.slice(-NUMBERED_IN)) > 1
}

const linesNumbered = (text: string): number => text.match(EACH_NUMBERED)?.length ?? 0

/** An answer may end with a question of its own, which answers nothing. */
function withoutQuestion(text: string): string {
  if (!QUESTION.test(text)) return text
  const sentences = text.split('\n').flatMap(sentencesOf)
  return sentences
    .map((sentence) => (QUESTION.test(sentence) ? beforeQuestion(sentence) : sentence))
    .join(' ')
    .trim()
}

/** "ok, do nothing, can we add tests?" answers in the clauses before it asks; '' where all of it asks. */
function beforeQuestion(sentence: string): string {
  const clauses = sentence.split(/(?<=[,;，、；]) ?/)
  const asks = clauses.findIndex((clause) => isAsking(clause))
  if (asks < 1) return ''
  const before = clauses.slice(0, asks).join(' ').slice(0, -1)
  return isTrivialTurn(before) ? '' : before
}

/** Sentences that begin as a choice, each with the reason that follows it in its line. */
function choosing(text: string): string[] {
  const found: string[] = []
  for (const line of proseLines(text)) {
    const sentences = sentencesOf(withoutBullet(line))
    sentences.forEach((sentence, at) => {
      if (
        found.length >= MOST_EACH ||
        QUESTION.test(sentence) ||
        sentence.length < SHORTEST ||
        sentence.length > LONGEST
      )
        return
      if (!isChoice(fold(sentence)) || isAsking(sentence)) return
      const next = sentences[at + 1]
      found.push(sentence.length < 40 && next !== undefined && !QUESTION.test(next) ? `${sentence} ${next}` : sentence)
    })
  }
  return found
}
