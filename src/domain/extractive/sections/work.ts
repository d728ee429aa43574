import type { Change, Ledger, ModifiedFile } from '../../ledger/ledger-value.ts'
import { commonRoot } from '../../ledger/previous/common-root.ts'
import { fileLead, filePhrase, LINE, outcomeLine } from '../../ledger/previous/line-labels.ts'
import { quoteLine } from '../../text/quote.ts'
import { type Item, TIER } from '../item.ts'
import { fraction } from './requests.ts'

const ANY = Number.POSITIVE_INFINITY
const ORDER: readonly ModifiedFile['how'][] = ['written', 'edited', 'deleted', 'moved']

/** Modified files by what became of them, several on a line. */
export function fileItems({ files }: Ledger): Item[] {
  const root = commonRoot(files.modified.map(({ path }) => path))
  const all = files.modified.map((file, at) => ({ file, at, isInside: root !== '' && file.path.startsWith(root) }))
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
  const earlier = ledger.earlier.done.map((text, at): Item => ({ text, tier: TIER.outcome, rank: at / 1000 }))
  const todos = ledger.finishedTodos.map(
    (text, at): Item => ({ text: quoteLine(text, ANY), tier: TIER.change, rank: 500 + at }),
  )
  return [...earlier, ...todos, ...outcomeItems(ledger), ...changeItems(ledger)]
}

function outcomeItems({ outcomes, asks }: Ledger): Item[] {
  const newest = asks.find(({ isNewest }) => isNewest)
  return outcomes.map(({ text, turn, ask }): Item => {
    const told = quoteLine(text, ANY)
    const isNewest = newest !== undefined && newest.turn === turn && !newest.isCarried
    const line = isNewest ? `${LINE.cameOf}${told}` : ask === '' ? told : outcomeLine(ask, told)
    return { text: line, tier: TIER.outcome, rank: turn + 1 }
  })
}

function changeItems({ changes }: Ledger): Item[] {
  return changes.map(
    (change, at): Item => ({ text: changeLine(change), tier: TIER.change, rank: (change.isOnce ? 1000 : 0) + at }),
  )
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
