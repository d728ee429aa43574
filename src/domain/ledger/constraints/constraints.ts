import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import { contentWords, isHardWord, isSaidBy, shareOf } from '../content-words.ts'
import { CUE_KINDS, cueTest } from '../cues/any-cue.ts'
import type { LedgerItem } from '../ledger-value.ts'
import { memoryOf, remembering } from '../remembering.ts'
import type { Timeline, UserAnswer, UserTurn } from '../timeline.ts'
import { ruleSentences } from './rule-sentences.ts'
import { LAYS_DOWN } from './standing-rule.ts'

const LIFTING = cueTest('lifting')
/** How much of a rule a sentence has to speak of to take it back. */
const SAME_SUBJECT = 0.5
/** Each new rule is compared with every one that holds; nobody lays down more than this, and the newest are shown. */
const MOST = 120
/** Each sentence that lifts a rule is compared with every rule; nobody lifts more than this in one turn. */
const MOST_LIFTED = 24

const wordsKnown = remembering<ReadonlySet<string>>()
const wordsOf = (rule: LedgerItem): ReadonlySet<string> => wordsKnown(memoryOf(rule), () => contentWords(rule.text))
const rulesOf = remembering<readonly string[]>()

/** Standing rules in the user's own words, oldest first, those that were lifted left out (docs/spec/truth.md §4). */
export function constraints(timeline: Timeline, carried: readonly LedgerItem[]): LedgerItem[] {
  let rules: LedgerItem[] = withoutRepeats(carried)
  for (const { text, memory, cues, number: turn } of humanWords(timeline)) {
    rules = withoutLifted(rules, text)
    if ((cues & (CUE_KINDS.rules | LAYS_DOWN)) === 0) continue
    for (const sentence of rulesOf(memory, () => ruleSentences(text))) rules = withRule(rules, { text: sentence, turn })
  }
  return rules
}

/** What humans said and answered, in order. */
export const humanWords = ({ turns, answers }: Timeline): readonly (UserTurn | UserAnswer)[] =>
  [...turns, ...answers].sort((a, b) => a.at - b.at)

/** Each rule once, in its fuller wording. */
export function withoutRepeats(rules: readonly LedgerItem[]): LedgerItem[] {
  return rules.reduce<LedgerItem[]>(withRule, [])
}

/** Said again counts once, in the fuller wording. */
function withRule(rules: readonly LedgerItem[], rule: LedgerItem): LedgerItem[] {
  const words = wordsOf(rule)
  const same = rules.findIndex((other) => other.text === rule.text || isSaidBy(words, wordsOf(other)))
  if (same >= 0) return [...rules]
  const narrower = rules.findIndex((other) => isSaidBy(wordsOf(other), words))
  return narrower < 0 ? [...rules.slice(1 - MOST), rule] : rules.map((other, at) => (at === narrower ? rule : other))
}

/** The rules that a text of the user's does not take back. */
export function withoutLifted(rules: readonly LedgerItem[], text: string): LedgerItem[] {
  if (rules.length === 0 || text.length > 8000 || !LIFTING.may(text)) return [...rules]
  const lifting = text
    .split('\n')
    .flatMap((line) => sentencesOf(withoutBullet(line)))
    .filter((sentence) => LIFTING.has(sentence))
    .slice(0, MOST_LIFTED)
    .map(contentWords)
  return rules.filter((rule) => {
    const words = wordsOf(rule)
    return !lifting.some((sentence) => shareOf(words, sentence) >= SAME_SUBJECT || namesSame(words, sentence))
  })
}

const namesSame = (rule: ReadonlySet<string>, sentence: ReadonlySet<string>): boolean =>
  [...rule].some((word) => isHardWord(word) && sentence.has(word)) && shareOf(rule, sentence) >= SAME_SUBJECT / 2
