import { hasHeading } from '../../text/headings.ts'
import { isOtherLanguage } from '../../text/language.ts'
import { bracketedAt, isLabelName } from '../../text/structure/labels.ts'
import { stripFileTags } from '../file-tags.ts'
import { missingFacts } from '../missing-facts.ts'
import { type AnswerSection, answerSections, isEmptyLine, titleKey } from './answer-sections.ts'
import type { ExpectedAnswer } from './expected-answer.ts'
import { factShare } from './fact-share.ts'

/**
 * What an answer is (docs/spec/truth.md §8). `soft`: few facts or another language; when nobody does better the audit puts the facts
 * back. `cut`: it stops inside a sentence with half of its headings missing.
 */
export type Verdict = 'ok' | 'blank' | 'not-a-summary' | 'soft' | 'cut'

// Zero-width characters alone would pass a plain trim() and be stored as a summary.
const VISIBLE = /[^\s\u200B-\u200D\u2060\uFEFF]/
const MOST_REPEATS = 5
const MOST_LABELS = 2
const LEAST_FACTS = 5
const LEAST_SHARE = 0.2
const LANGUAGE_CHARS = 200

/**
 * Judges an unwrapped answer, before anything in it is defused. `headings`: any heading will do, since nobody says which were asked.
 */
export function verdict(text: string, expects: 'text' | 'headings' | ExpectedAnswer): Verdict {
  if (!VISIBLE.test(text)) return 'blank'
  if (expects === 'text') return 'ok'
  if (expects === 'headings') return hasHeading(text) ? 'ok' : 'not-a-summary'
  const sections = answerSections(text)
  const body = sections.flatMap(({ lines }) => lines)
  if (stopsInside(text) && lacksHalf(sections, expects)) return 'cut'
  if (isHardFault({ text, sections, body, expects })) return 'not-a-summary'
  return isSoftFault(text, body, expects) ? 'soft' : 'ok'
}

interface Judged {
  readonly text: string
  readonly sections: readonly AnswerSection[]
  readonly body: readonly string[]
  readonly expects: ExpectedAnswer
}

function isHardFault({ text, sections, body, expects }: Judged): boolean {
  const { headings, placeholders, facts, previousSummary } = expects
  return (
    (headings.length > 0 && 2 * foundHeadings(sections, headings) < headings.length) ||
    placeholders.some((placeholder) => text.includes(placeholder)) ||
    repeatsLine(body) ||
    showsTranscript(body) ||
    isReply(body) ||
    (facts.length > 0 && body.every(isEmptyLine)) ||
    (isTheSame(text, previousSummary) && missingFacts(previousSummary, facts).length > 0)
  )
}

/** How many of the asked headings the answer has, in any form. */
function foundHeadings(sections: readonly AnswerSection[], asked: readonly string[]): number {
  const titles = new Set(sections.map(({ title }) => titleKey(title)))
  return new Set(asked.map(titleKey).filter((title) => titles.has(title))).size
}

function lacksHalf(sections: readonly AnswerSection[], { headings }: ExpectedAnswer): boolean {
  return headings.length > 1 && 2 * foundHeadings(sections, headings) <= headings.length
}

/** No mark that ends a sentence, a list entry in the middle of words: the answer was cut. */
const WHOLE_END = /[.!?:;)\]}>`'"”’»*_|。！？…」』）।؟-]\s*$/
const LONE_ENTRY = /^\s*(?:[-*•]|\d{1,3}[.)])\s/

function stopsInside(text: string): boolean {
  const last = text.trimEnd().split('\n').at(-1) ?? ''
  if (WHOLE_END.test(last) || last.startsWith('#')) return false
  // Entries of lists often end without a mark; a word that wants another one never ends anything.
  return (
    !LONE_ENTRY.test(last) ||
    /\b(?:the|a|an|and|or|of|to|in|with|for|that|der|die|das|und|mit|de|la|le|et|y|e)$/i.test(last.trimEnd())
  )
}

const LETTERS = /\p{L}{2}/u

/** The same words again and again: the model ran in circles. Marks for nothing may come as often as they like. */
function repeatsLine(body: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const line of body) {
    const key = line
      .replace(/^[\s\-*•\d.)[\]xX]+/, '')
      .trim()
      .toLowerCase()
    if (!LETTERS.test(key) || isEmptyLine(line)) continue
    const count = (counts.get(key) ?? 0) + 1
    if (count > MOST_REPEATS) return true
    counts.set(key, count)
  }
  return false
}

/** `[User]:` at the start of lines: the conversation was copied, not summarized. */
function showsTranscript(body: readonly string[]): boolean {
  const labels = body.filter((line) => {
    const label = bracketedAt(line.trimStart().replace(/^[-*>]\s/, ''), 0)
    return label !== null && isLabelName(label.name)
  })
  return labels.length > MOST_LABELS
}

const REFUSAL =
  /^(?:I['’]m (?:really |very )?sorry\b|I (?:am sorry|apologi[sz]e)\b|(?:Unfortunately,? )?I (?:can(?:no|['’])t|cannot|am (?:not able|unable) to|won['’]t) (?:help|assist|summari[sz]e|do|comply|provide|fulfil|continue|write)|As an AI\b|Es tut mir leid|Ich kann (?:dabei )?nicht|Lo siento|No puedo|Je suis désolée?|Je ne peux pas|Desculpe|Mi dispiace|抱歉|对不起|申し訳|죄송|Извините|К сожалению)/i
const PLAN =
  /^(?:(?:Great|Sure|Okay|OK|Certainly|Of course|Alright|Perfect)[,.!:]? )?(?:I['’]ll|I will|I['’]m going to|Let me|Let['’]s|Ich werde|Ich schaue|Voy a|Je vais|Vou) (?!summari[sz]e)\p{L}/iu
const TOOL_CALL =
  /<(?:tool_call|function_calls?|invoke|tool_use|function=\w)|^[ \t]{0,40}\{\s{0,40}"(?:name|tool|function)"\s{0,40}:\s{0,40}"[^"]{1,80}"\s{0,40},\s{0,40}"(?:arguments|parameters|input)"/im

/** A refusal, a plan or a tool call under a heading: the conversation was answered, not summarized. */
function isReply(body: readonly string[]): boolean {
  const told = body.filter((line) => line.trim() !== '' && !isEmptyLine(line))
  const first = (told[0] ?? '').trim()
  return REFUSAL.test(first) || PLAN.test(first) || TOOL_CALL.test(told.slice(0, 20).join('\n'))
}

function isTheSame(text: string, previous: string): boolean {
  if (previous === '') return false
  const plain = (value: string): string => stripFileTags(value).replace(/\s+/g, ' ').trim()
  return plain(text) === plain(previous)
}

function isSoftFault(text: string, body: readonly string[], { facts, userWords }: ExpectedAnswer): boolean {
  const { share, count } = factShare(text, facts)
  if (count >= LEAST_FACTS && share < LEAST_SHARE) return true
  const said = body.filter((line) => !isEmptyLine(line)).join('\n')
  return userWords.length > LANGUAGE_CHARS && said.length > LANGUAGE_CHARS && isOtherLanguage(userWords, said)
}

/** How much an answer that is not a summary holds of what must not be lost: under a fifth it helps nobody. */
export function isBetterThanNothing(text: string, { facts }: ExpectedAnswer): boolean {
  const { share, count } = factShare(text, facts)
  return count > 0 && share >= LEAST_SHARE
}
