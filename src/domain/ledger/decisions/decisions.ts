import { contentWords, isSaidBy } from '../content-words.ts'
import type { Decision, LedgerItem } from '../ledger-value.ts'
import type { Timeline } from '../timeline.ts'
import { assistantChoices } from './assistant-choices.ts'
import { userChoices } from './user-choices.ts'

const BY_USER = 'The user decided: '
const ASKED = ' (asked: '
const MOST_OF_USER = 24
const MOST_OF_ASSISTANT = 16
/** Each is compared with all others before the newest are chosen. */
const MOST_CARRIED = 200
const CLEAR_ALONE = 90
const QUESTION_MOST = 140

/** Decisions of the user of the generations before and of the region, oldest first. */
export function userDecisions(timeline: Timeline, carried: readonly LedgerItem[]): Decision[] {
  const all = [...carriedBy('user', carried), ...userChoices(timeline)].sort(byTurn)
  return withoutRepeats(all, []).slice(-MOST_OF_USER)
}

/** The same with the assistant's, where the user's do not say them. */
export function decisions(timeline: Timeline, carried: readonly LedgerItem[], user: readonly Decision[]): Decision[] {
  const all = [...carriedBy('assistant', carried), ...assistantChoices(timeline)].sort(byTurn)
  return [...withoutRepeats(all, user).slice(-MOST_OF_ASSISTANT), ...user].sort(byTurn)
}

const byTurn = (one: Decision, other: Decision): number => one.turn - other.turn

const carriedBy = (by: Decision['by'], carried: readonly LedgerItem[]): Decision[] =>
  carried
    .slice(-MOST_CARRIED)
    .map(decisionFrom)
    .filter((decision) => decision.by === by)

/** The line that states a decision, with who made it and what it answers. */
export function decisionLine({ text, by, question }: Decision): string {
  if (by === 'assistant') return text
  // Words that say what they mean need no question beside them.
  const asked = question === '' || text.length > CLEAR_ALONE ? '' : `${ASKED}${shortQuestion(question)})`
  return `${BY_USER}${text}${asked}`
}

/** Reads such a line back. Other agents' lines are the assistant's. */
function decisionFrom({ text, turn }: LedgerItem): Decision {
  if (!text.startsWith(BY_USER)) return { text, turn, by: 'assistant', question: '', isCarried: true }
  const asked = text.endsWith(')') ? text.lastIndexOf(ASKED) : -1
  const words = text.slice(BY_USER.length, asked < 0 ? text.length : asked)
  return {
    text: words,
    turn,
    by: 'user',
    question: asked < 0 ? '' : text.slice(asked + ASKED.length, -1),
    isCarried: true,
  }
}

/** The end of a question asks; what stands before explains. */
function shortQuestion(question: string): string {
  const line = question.replace(/\s+/g, ' ')
  return line.length <= QUESTION_MOST ? line : `… ${line.slice(line.indexOf(' ', line.length - QUESTION_MOST) + 1)}`
}

/** Of all those that none of `said`, and none before them, says. */
function withoutRepeats(all: readonly Decision[], said: readonly Decision[]): Decision[] {
  const told = said.map((decision) => ({ decision, words: contentWords(decision.text) }))
  return all.filter((decision) => {
    const words = contentWords(decision.text)
    if (told.some((other) => other.decision.text === decision.text || isSaidBy(words, other.words))) return false
    told.push({ decision, words })
    return true
  })
}
