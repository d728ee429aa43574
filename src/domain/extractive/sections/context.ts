import type { Ledger, WorkState } from '../../ledger/ledger-value.ts'
import { LINE } from '../../ledger/previous/line-labels.ts'
import { quoteLine, quoteLines } from '../../text/quote.ts'
import { type Item, TIER } from '../item.ts'

const LAST_WORDS_MOST = 900
/** In the middle of the work the words only say where it stopped. */
const WORDS_UNDER_WAY_MOST = 400
const LEAST_WORDS = 40
const MOST_READ = 12
const MOST_NAMES = 12
/** A name is found again by a search; an address is not. */
const LESS = 2
/** Before everything else of its tier. */
const FIRST = 1e6
const ANY = Number.POSITIVE_INFINITY

/** Where the work stands: directory, branch, commits, processes, pull request. */
export function stateItems({ state }: Ledger): Item[] {
  const parts = stateParts(state)
  return parts.length === 0
    ? []
    : [{ text: `${LINE.state}${parts.join('; ')}`, tier: TIER.next, rank: 20, isQuote: true, isRecord: true }]
}

function stateParts({ cwd, branch, lastCommit, unpushed, uncommitted, running, pr, isLastSeen }: WorkState): string[] {
  const seen = isLastSeen ? ' (last seen)' : ''
  return [
    ...(cwd === '' ? [] : [`directory ${cwd}`]),
    ...(branch === '' ? [] : [`branch ${branch}${seen}`]),
    ...(lastCommit === '' ? [] : [`last commit ${lastCommit}`]),
    ...(uncommitted === 0 ? [] : [`not committed: ${uncommitted} changed ${uncommitted === 1 ? 'file' : 'files'}`]),
    ...(unpushed.length === 0 ? [] : [`not pushed: ${unpushed.join(', ')}`]),
    ...(running.length === 0 ? [] : [`running: ${running.join(' | ')}${seen}`]),
    ...(pr === '' ? [] : [`pull request ${pr}`]),
  ]
}

/** What the assistant said last, as far as its outcome does not tell it: lists and options that the user may speak of next. */
export function lastWordsItems({ lastWords, outcomes, isFinished, question }: Ledger): Item[] {
  const told = isFinished ? (outcomes.at(-1)?.text ?? '') : ''
  const rest = told === '' ? lastWords : withoutTold(lastWords, told)
  const words = question === null ? rest : rest.replace(question.text, '').trim()
  if (words.length < LEAST_WORDS) return []
  return [
    {
      text: `${LINE.lastWords}${quoteLines(words, isFinished ? LAST_WORDS_MOST : WORDS_UNDER_WAY_MOST)}`,
      tier: isFinished ? TIER.rest : TIER.next,
      rank: isFinished ? 80 : 30,
    },
  ]
}

/** The lines of a message that its outcome does not repeat. */
function withoutTold(message: string, told: string): string {
  return message
    .split('\n')
    .filter((line) => {
      const bare = line.replace(/^[\s\-*•\d.)]+/, '').trim()
      return bare.length < 12 || !told.includes(bare.slice(0, 60))
    })
    .join('\n')
    .trim()
}

/** Rules of the project: they can be found in its documents again, while a user's words are nowhere else. */
const projectItems = ({ projectRules }: Ledger): Item[] =>
  projectRules.map(({ text }, at) => ({
    text: quoteLine(text, ANY),
    tier: TIER.outcome,
    rank: FIRST + at,
    isQuote: true,
  }))

/** Rules of the project, links, names, lessons of earlier generations, files that were only read. */
export function contextItems(ledger: Ledger, tellsFiles: boolean): Item[] {
  const { links, names, earlier, files } = ledger
  const context = earlier.context.map((text, at): Item => ({ text, tier: TIER.rest, rank: 70 + at / 1000 }))
  const named = links.map(
    ({ text, worth }): Item => ({ text, lead: LINE.links, tier: TIER.link, rank: worth, isSaidByName: true }),
  )
  const spoken = names.map(
    ({ text, worth }): Item => ({
      text,
      lead: LINE.names,
      mostWithLead: MOST_NAMES,
      tier: TIER.link,
      rank: worth - LESS,
      isSaidByName: true,
    }),
  )
  const read = files.read.slice(-MOST_READ)
  const readItem: Item[] =
    tellsFiles || read.length === 0
      ? []
      : [{ text: quoteLine(`${LINE.filesRead}${read.join(', ')}`, 1200), tier: TIER.rest, rank: 5 }]
  return [...projectItems(ledger), ...context, ...named, ...spoken, ...readItem]
}
