import type { Result } from '../../conversation/conversation.ts'
import { contentWords, isHardWord, shareOf } from '../content-words.ts'
import type { OpenError } from '../ledger-value.ts'
import { memoryOf, remembering } from '../remembering.ts'
import type { Act, Timeline } from '../timeline.ts'
import { closes, type Failed } from './closes.ts'
import { dismissals, failureKey } from './dismissed.ts'
import { failedWork } from './failed-work.ts'
import { informativeLine } from './informative-line.ts'
import { type Work, worksOf } from './works-of.ts'

const MOST = 5
/** Every later success is compared with each open failure; nobody fixes more than this at once, and the newest are shown. */
const MOST_OPEN = 40
/** How many turns of the user's an error stays open without anybody speaking of it. */
const TURNS = 2
const SPOKEN = 0.5
/** Enough of an output to tell which target it names. */
const LOOKED_AT = 20_000

interface Failure extends Failed {
  readonly act: Act
  /** Looked for when first asked for: most failures are fixed later, and nobody asks about those. */
  readonly line: () => string
}

/** A failure with its line. */
interface OpenFailure extends Pick<Failure, 'act' | 'work'> {
  readonly line: string
}

/**
 * Failures that hold at the end, newest last (docs/spec/truth.md §2): the last outcome of their work, not settled by any
 * later success, recent or spoken of, and with a line that says something.
 */
export function openErrors(timeline: Timeline): OpenError[] {
  const open: Failure[] = []
  const isDismissed = dismissals(timeline)
  const dismissed = new Set<string>()
  for (const act of timeline.acts) {
    const status = act.result?.status
    if (status !== 'failed' && (status !== 'ok' || open.length === 0)) continue
    const works = worksOf(act)
    if (works.length === 0) continue
    const failure = status === 'failed' ? failureOf(act, works) : null
    // Parts of a chain before the one that failed went through.
    settle(open, status === 'ok' ? works : works.slice(0, failure === null ? 0 : works.indexOf(failure.work)))
    if (failure === null) continue
    if (isDismissed(act)) dismissed.add(failureKey(failure.work.family, failure.line()))
    const same = open.findIndex(({ work }) => work.family === failure.work.family && isSameWork(work, failure.work))
    if (same >= 0) open.splice(same, 1)
    open.push(failure)
    if (open.length > MOST_OPEN) open.shift()
  }
  const newest = timeline.sayings.at(-1)
  const spoken = contentWords(newest?.text ?? '')
  return open
    .map(({ work, line, act }) => ({ work, line: line(), act }))
    .filter(({ work, line }) => !dismissed.has(failureKey(work.family, line)))
    .filter((failure) => failure.line !== '' && isCurrent(failure, timeline, spoken))
    .slice(-MOST)
    .map(({ work, line, act }) => ({ what: work.text, text: line, turn: act.number }))
}

function settle(open: Failure[], done: readonly Work[]): void {
  if (open.length === 0) return
  for (const work of done)
    for (let at = open.length - 1; at >= 0; at -= 1) {
      const failure = open[at]
      if (failure !== undefined && closes(work, failure)) open.splice(at, 1)
    }
}

/** The newest failure of a work stands for the earlier ones. */
const isSameWork = (one: Work, other: Work): boolean =>
  one.scope === other.scope &&
  (one.targets.length === 0 ||
    other.targets.length === 0 ||
    one.targets.some((target) => other.targets.includes(target)))

const lineOf = remembering<string>()

function failureOf(act: Act, works: readonly Work[]): Failure | null {
  const { result } = act
  if (result === undefined) return null
  const output = result.text.slice(0, LOOKED_AT)
  const told = (): string => lineOf(memoryOf(result), () => informativeLine(output))
  const work = failedWork(works, told)
  if (work === null) return null
  return { act, work, output, line: () => told() || silentLine(work, result) }
}

/** What is said of a failure that printed nothing. */
const silentLine = ({ changes }: Work, { exitCode }: Result): string =>
  changes && exitCode !== null ? `ended with exit code ${exitCode}, no output` : ''

/** Fell in the last turns, or the newest words still speak of it. */
function isCurrent({ act, line, work }: OpenFailure, timeline: Timeline, spoken: ReadonlySet<string>): boolean {
  if (act.number > timeline.lastNumber - TURNS) return true
  const words = contentWords(`${line} ${work.text}`)
  const shared = [...words].filter((word) => spoken.has(word) && isHardWord(word))
  return shareOf(words, spoken) >= SPOKEN || shared.length >= 2
}
