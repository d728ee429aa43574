import type { Change, Ledger, ModifiedFile } from '../../ledger/ledger-value.ts'
import { commonRoot } from '../../ledger/previous/common-root.ts'
import { fileLead, filePhrase, LINE, outcomeLine } from '../../ledger/previous/line-labels.ts'
import { quoteLine } from '../../text/quote.ts'
import { signsOf } from '../../tokens/utf8.ts'
import { clauses } from '../clauses.ts'
import { type Item, TIER } from '../item.ts'
import { fraction } from './requests.ts'

const FEW_DIRECT = 2
const ANY = Number.POSITIVE_INFINITY
const ORDER: readonly ModifiedFile['how'][] = ['written', 'edited', 'deleted', 'moved']

/** Modified files by what became of them, several on a line. */
export function fileItems({ files }: Ledger): Item[] {
  const root = commonRoot(files.modified.map(({ path }) => path))
  const isDirect = (path: string): boolean => path.startsWith(root) && !path.slice(root.length).includes('/')
  // "README.md" far from the folder that the line begins with could be any.
  const isFew = files.modified.filter(({ path }) => isDirect(path)).length <= FEW_DIRECT
  const all = files.modified.map((file, at) => ({
    file,
    at,
    isInside: root !== '' && file.path.startsWith(root) && !(isFew && isDirect(file.path)),
  }))
  return ORDER.flatMap((how) =>
    [true, false].flatMap((inside) =>
      all
        .filter(({ file, isInside }) => file.how === how && isInside === inside)
        .map(
          ({ file, at }): Item => ({
            text: filePhrase(inside ? { ...file, path: file.path.slice(root.length) } : file),
            lead: fileLead(how, inside ? root : ''),
            tier: TIER.file,
            rank: at,
          }),
        ),
    ),
  )
}

const MOST_READ = 40
/** An older outcome in fewer clauses, with the names after it. */
const SHORT_MOST = 150
const MOST_WHOLE = 2
const LEAST_TOLD = 80
const ARROW = '” → '
const NAMES_BEHIND = / \([^()\n]{3,300}\)$/
/** The points under an entry of an earlier summary. */
const POINTS = /\n[ \t]*[-*•]?[ \t]*/g
const HASH = /^[0-9a-f]{7,40}(?= )/
/** Turns in which nothing was done are worth an outcome while they are new. */
const MOST_TALK = 6
/** What came of still older turns, of earlier generations too, is worth no more than other context: the newer ones stand on it. */
const MOST_OUTCOMES = 16

/** One file a line, for a section of its own. */
export function fileSectionItems({ files }: Ledger): Item[] {
  const modified = files.modified.map(
    ({ path, how }, at): Item => ({
      text: `${path} (${how === 'edited' ? 'modified' : how})`,
      tier: TIER.file,
      rank: at,
    }),
  )
  const read = files.read
    .slice(-MOST_READ)
    .map((path, at): Item => ({ text: `${path} (read)`, tier: TIER.rest, rank: at / 1000 }))
  return [...modified, ...read]
}

/** What earlier generations had done and what came of every turn, in order. */
export function doneItems(ledger: Ledger): Item[] {
  const { done } = ledger.earlier
  const older = done.length - Math.max(0, MOST_OUTCOMES - ledger.outcomes.length)
  const earlier = done.map(
    (text, at): Item =>
      at < older
        ? { text, tier: TIER.rest, rank: 61 + at / 1000 }
        : { text, shorter: shortLine(text.replace(POINTS, '; ')), tier: TIER.outcome, rank: at / 1000 },
  )
  const todos = ledger.finishedTodos.map(
    (text, at): Item => ({ text: quoteLine(text, ANY), tier: TIER.change, rank: 500 + at }),
  )
  return [...earlier, ...todos, ...outcomeItems(ledger), ...progressItems(ledger), ...changeItems(ledger)]
}

function outcomeItems({ outcomes, asks }: Ledger): Item[] {
  const newest = asks.find(({ isNewest }) => isNewest)
  const newer = outcomes.at(-MOST_TALK)?.turn ?? 0
  const older = outcomes.at(-MOST_OUTCOMES)?.turn ?? 0
  const whole = outcomes.at(-MOST_WHOLE)?.turn ?? 0
  return outcomes.map(({ text, turn, ask, isTalk }): Item => {
    const told = quoteLine(text, ANY)
    const isNewest = newest !== undefined && newest.turn === turn && !newest.isCarried
    const line = isNewest ? `${LINE.cameOf}${told}` : ask === '' ? told : outcomeLine(ask, told)
    const isOld = turn < older || (isTalk && turn < newer && !isNewest)
    const shorter = turn < whole ? shortLine(line) : undefined
    return {
      text: line,
      shorter,
      tier: isOld ? TIER.rest : TIER.outcome,
      rank: isOld ? 62 + fraction(turn) : turn + 1,
    }
  })
}

/** After all outcomes: it is of the newest turn. */
function progressItems({ progress }: Ledger): Item[] {
  return progress.map(
    ({ text, turn }, at): Item => ({
      text: `${LINE.soFar}${quoteLine(text, ANY)}`,
      tier: TIER.outcome,
      rank: turn + 1 + at / 1000,
    }),
  )
}

function shortLine(line: string): string {
  const names = NAMES_BEHIND.exec(line)?.[0] ?? ''
  const words = line.slice(0, line.length - names.length)
  // The request in front is short already; what came of it is cut.
  const told = words.indexOf(ARROW) < 0 ? 0 : words.indexOf(ARROW) + ARROW.length
  const room = Math.max(LEAST_TOLD, SHORT_MOST - told)
  return `${words.slice(0, told)}${clauses(words.slice(told), signsOf(room, words))}${names}`
}

function changeItems({ changes, outcomes }: Ledger): Item[] {
  // A commit is named with the turn it belongs to.
  const isTold = ({ result }: Change): boolean => {
    const hash = HASH.exec(result)?.[0]
    return hash !== undefined && outcomes.some(({ text }) => text.includes(hash))
  }
  return changes
    .filter((change) => !isTold(change))
    .map((change, at): Item => ({ text: changeLine(change), tier: TIER.change, rank: (change.isOnce ? 1000 : 0) + at }))
}

const changeLine = ({ text, result }: Change): string =>
  result === '' ? `Ran \`${text}\`` : `Ran \`${text}\`: ${result}`

/** What is under way where the region ends. */
export function runningItems({ openSteps, lastSteps, interrupted }: Ledger): Item[] {
  const steps: Item = { text: `${LINE.lastSteps}${lastSteps.join('; ')}`, tier: TIER.next, rank: 40, isRecord: true }
  const running = openSteps.filter(({ kind }) => kind === 'running')
  return [
    ...running.map(
      ({ text, turn }, at): Item => ({
        text: quoteLine(text, ANY),
        tier: TIER.next,
        rank: 50 + fraction(turn) - at / 1000,
      }),
    ),
    ...(interrupted === ''
      ? []
      : [{ text: `${LINE.interrupted}\`${quoteLine(interrupted, 200)}\` got no result`, tier: TIER.open, rank: 0 }]),
    ...(lastSteps.length === 0 ? [] : [steps]),
  ]
}
