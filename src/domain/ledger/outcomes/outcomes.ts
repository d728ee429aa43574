import { modifiedPaths } from '../../conversation/call.ts'
import { contentWords } from '../content-words.ts'
import { cueTest } from '../cues/any-cue.ts'
import { CUES, fold } from '../cues/patterns.ts'
import { isDone } from '../files.ts'
import type { Change, Outcome } from '../ledger-value.ts'
import { linksIn, linksSaid } from '../links/links.ts'
import type { Saying, Timeline, UserTurn } from '../timeline.ts'
import { brokenOff } from './progress.ts'
import { statementsOf } from './statements.ts'

/** An outcome with this many words that carry meaning says something; a shorter one includes what follows. */
const ENOUGH_WORDS = 6
const FIRST_MOST = 300
/** What the newest turns may tell beyond their first piece, and how many they are. */
const MORE_MOST = 500
const MORE_PIECES = 4
const NEWEST_TURNS = 2
const UNDO = cueTest('undo')
/** A longer turn has something taken back among other things. */
const UNDO_MOST = 240
const UNDONE = ' (undone at the next request)'
/** Names that are added after the sentence, as far as it does not hold them. */
const MOST_NAMES = 5
/** Two addresses whose first characters, this many, are equal lead to the same place. */
const MOST_ALIKE = 60
const COMMIT = /^([0-9a-f]{7,40}) (\S.*)$/
/** What nobody could guess. */
const HARD = /\d|https?:\/\//
const FACT = /\d|https?:\/\/|`[^`]+`|[\w-]\/[\w./-]|\b[A-Z]{2,}-\d/

/** One line for every turn of the user's that was answered: what came of it (docs/spec/truth.md §4). */
export function outcomesOf(timeline: Timeline, changes: readonly Change[], newestCarried: string): Outcome[] {
  const closings = new Map<number, Saying>()
  for (const saying of timeline.sayings) if (saying.isClosing) closings.set(saying.number, saying)
  const turns = new Map(timeline.turns.map((turn) => [turn.number, turn]))
  const undone = undoneTurns(timeline)
  const created = createdByTurn(changes)
  const worked = new Set(
    timeline.acts.filter((act) => isDone(act) && modifiedPaths(act.call).length > 0).map(({ number }) => number),
  )
  const outcomes: Outcome[] = []
  const closed = [...closings].map(
    ([number, saying]) =>
      [number, outcomeOf(saying, number > timeline.lastNumber - NEWEST_TURNS), linksSaid(saying)] as const,
  )
  const broken = [...brokenOff(timeline)].map(([number, text]) => [number, text, []] as const)
  for (const [number, told, links] of [...closed, ...broken].sort(([one], [other]) => one - other)) {
    const named = withNames(told, [...(created.get(number) ?? []), ...links])
    const text = named !== '' && undone.has(number) ? `${named}${UNDONE}` : named
    if (text !== '')
      outcomes.push({
        text,
        turn: number,
        ask: askOf(turns.get(number), newestCarried),
        isTalk: !worked.has(number) && !HARD.test(text),
        isCarried: false,
      })
  }
  return outcomes
}

/** Numbers of turns whose work the user had taken back in the next. */
function undoneTurns({ turns }: Timeline): ReadonlySet<number> {
  return new Set(
    turns
      .filter(({ text }) => text.length <= UNDO_MOST && !/[?？]\s*$/.test(text) && UNDO.has(text.replaceAll('\n', ' ')))
      .map(({ number }) => number - 1),
  )
}

const askOf = (turn: UserTurn | undefined, carried: string): string => (turn === undefined ? carried : turn.text)

/** Commits, pull requests and other things that came of commands, by turn. */
function createdByTurn(changes: readonly Change[]): ReadonlyMap<number, readonly string[]> {
  const created = new Map<number, string[]>()
  for (const { turn, result } of changes) {
    const names = COMMIT.test(result) ? [result] : linksIn(result)
    if (names.length > 0) created.set(turn, [...(created.get(turn) ?? []), ...names])
  }
  return created
}

/** The beginning of a closing message, as much as says something; of the newest one more. */
function outcomeOf(saying: Saying, isNewest: boolean): string {
  const [first, ...rest] = statementsOf(saying.lines)
  if (first === undefined) return ''
  let text = first
  let room = isNewest ? MORE_MOST : 0
  for (const [at, piece] of rest.slice(0, 3 * MORE_PIECES).entries()) {
    const isThin = contentWords(text).size < ENOUGH_WORDS && text.length + piece.length <= FIRST_MOST
    if (!isThin && piece.length > room) break
    if (!isThin && !FACT.test(piece)) continue
    if (!isThin) room -= piece.length
    text += `${/[.!?。！？;:]$/.test(text) ? '' : ';'} ${piece}`
    if (room <= 0 && at >= MORE_PIECES) break
  }
  // Agreement alone came of nothing.
  return contentWords(text).size < 2 && !FACT.test(text) && !CUES.done.test(fold(text)) ? '' : text
}

function withNames(text: string, names: readonly string[]): string {
  if (text === '') return ''
  const missing = new Set<string>()
  for (const name of names) {
    const [, hash = name, subject = ''] = COMMIT.exec(name) ?? []
    if (!text.includes(hash.slice(0, MOST_ALIKE))) missing.add(text.includes(subject) ? hash : name)
  }
  return missing.size === 0 ? text : `${text} (${[...missing].slice(0, MOST_NAMES).join(', ')})`
}
