import { contentWords, isSaidBy } from '../content-words.ts'
import { CUE_KINDS, cueTest } from '../cues/any-cue.ts'
import { CUES } from '../cues/patterns.ts'
import type { LedgerItem } from '../ledger-value.ts'
import { remembering } from '../remembering.ts'
import type { Said } from '../said.ts'
import type { Saying, Timeline } from '../timeline.ts'

const FINDING = cueTest('finding')
const QUESTION_OR_LABEL = /[?？؟:：]["')*_]{0,3}$/
const HARD = /\d|https?:\/\/|`[^`]+`/
const LEAST_WORDS = 3
const LONGEST = 400
const MOST = 10
const MOST_OF_OLDER = 3

/**
 * What the newest turn has brought so far where no message closed it, in the assistant's words, oldest first: what was found out,
 * proved or done. It has no outcome yet, and may have gone on for hours (docs/spec/truth.md §4).
 */
export function progressOf({ sayings, lastNumber }: Timeline): LedgerItem[] {
  const own = sayings.filter(({ number }) => number === lastNumber)
  if (own.some(({ isClosing }) => isClosing)) return []
  return strongest(own, MOST).map((text) => ({ text, turn: lastNumber }))
}

/** The same of older turns that the user broke off, each in one line. */
export function brokenOff({ sayings, lastNumber }: Timeline): ReadonlyMap<number, string> {
  const closed = new Set(sayings.filter(({ isClosing }) => isClosing).map(({ number }) => number))
  const open = sayings.filter(({ number }) => number !== lastNumber && !closed.has(number))
  const told = [...Map.groupBy(open, ({ number }) => number)].map(
    ([turn, own]) => [turn, strongest(own, MOST_OF_OLDER).join(' ')] as const,
  )
  return new Map(told.filter(([, text]) => text !== ''))
}

/** The strongest and newest: a later word on a matter stands on the earlier ones. */
function strongest(sayings: readonly Saying[], most: number): string[] {
  const ranked = sayings
    .flatMap((saying) => reportsOf(saying.memory, () => reports(saying)))
    .map((report, at) => ({ ...report, at }))
    .sort((one, other) => other.strength - one.strength || other.at - one.at)
  const kept: (typeof ranked)[number][] = []
  for (const report of ranked)
    if (kept.length < most && !kept.some(({ words }) => isSaidBy(report.words, words))) kept.push(report)
  return kept.sort((one, other) => one.at - other.at).map(({ text }) => text)
}

interface Report {
  readonly text: string
  readonly strength: number
  readonly words: ReadonlySet<string>
}

const reportsOf = remembering<readonly Report[]>()

const reports = (saying: Saying): Report[] => {
  if ((saying.cues & (CUE_KINDS.finding | CUE_KINDS.done)) === 0) return []
  const mayFind = (saying.cues & CUE_KINDS.finding) !== 0
  return saying.said.flatMap((each) => {
    const strength = strengthOf(each, mayFind)
    const words = strength === 0 ? new Set<string>() : contentWords(each.sentence)
    return words.size < LEAST_WORDS ? [] : [{ text: each.sentence, strength, words }]
  })
}

function strengthOf({ sentence, folded }: Said, mayFind: boolean): number {
  if (sentence.length > LONGEST || QUESTION_OR_LABEL.test(sentence)) return 0
  const isFinding = mayFind && FINDING.has(folded)
  if ((!isFinding && !CUES.done.test(folded)) || CUES.intent.test(folded)) return 0
  return (isFinding ? 2 : 1) + (HARD.test(sentence) ? 1 : 0)
}
