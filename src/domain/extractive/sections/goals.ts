import { ownWords } from '../../ledger/user-words.ts'
import { lastParagraph, quoteLine, quoteLines } from '../../text/quote.ts'
import { utf8Length } from '../../tokens/utf8.ts'
import type { Ask, Digest } from '../digest.ts'
import { type Item, recent, VALUE } from '../item.ts'
import { lastSubstantive } from '../statements.ts'

const NEWEST_MOST = 2400
const FIRST_MOST = 1200
const BETWEEN_MOST = 240
const MOST_BETWEEN = 20
const MOST_EARLY = 6
/** Bytes: three ideographs say as much as a dozen letters. */
const TELLING_BYTES = 12
/** A request shorter than this often only picks what the assistant proposed. */
const SHORT_REQUEST = 80
const PROPOSAL_MOST = 600

/** The requests that say something, oldest first. */
export function realAsks(conversation: Digest): Ask[] {
  return conversation.asks.filter((ask) => !ask.trivial)
}

const tells = (ask: Ask): boolean => utf8Length(ask.text) >= TELLING_BYTES

/** The request it began with; a greeting before it is none. */
function firstOf(asks: readonly Ask[]): Ask | undefined {
  return asks.find(tells) ?? asks[0]
}

/** First and newest request, the newest verbatim and with what it answers. */
export function goalItems(conversation: Digest): Item[] {
  const asks = realAsks(conversation)
  const first = firstOf(asks)
  const newest = asks.at(-1)
  if (first === undefined || newest === undefined) return []
  if (first === newest) return [newestItem('User asked', newest), ...answeredItems(conversation, newest)]
  return [
    firstItem(first),
    ...betweenItems(asks),
    newestItem('Newest request', newest),
    ...answeredItems(conversation, newest),
  ]
}

/** The newest request alone. */
export function taskItems(conversation: Digest): Item[] {
  const newest = realAsks(conversation).at(-1)
  return newest === undefined ? [] : [newestItem('User asked', newest), ...answeredItems(conversation, newest)]
}

/** Only how it began and went on; for documents that show the newest request in a section of its own. */
export function firstGoalItems(conversation: Digest): Item[] {
  const asks = realAsks(conversation)
  const first = firstOf(asks)
  return first === undefined ? [] : [firstItem(first), ...betweenItems(asks)]
}

function firstItem(ask: Ask): Item {
  return { text: `First request: ${quoteLines(ask.text, FIRST_MOST)}`, value: VALUE.firstRequest }
}

function newestItem(label: string, ask: Ask): Item {
  // The one entry that is rather cut than dropped.
  const shorter = [600, 200].map((most) => `${label}: ${quoteLines(ask.text, most)}`)
  return { text: `${label}: ${quoteLines(ask.text, NEWEST_MOST)}`, value: VALUE.newestRequest, shorter }
}

/** Requests between the two, one line each, the user's own words of them; the earliest and the newest of many. */
function betweenItems(asks: readonly Ask[]): Item[] {
  const first = firstOf(asks)
  const telling = asks.slice(0, -1).filter((ask) => ask !== first && tells(ask))
  const shown =
    telling.length <= MOST_BETWEEN
      ? telling
      : [...telling.slice(0, MOST_EARLY), ...telling.slice(MOST_EARLY - MOST_BETWEEN)]
  return shown.map((ask, i) => ({
    text: `Then: ${quoteLine(ownWords(ask.text), BETWEEN_MOST)}`,
    value: recent(VALUE.request, i, shown.length),
  }))
}

/** "yeah, do it all" means nothing without the proposal before it; the same holds for a nod that came last. */
function answeredItems(conversation: Digest, newest: Ask): Item[] {
  const items: Item[] = []
  if (newest.text.length < SHORT_REQUEST) items.push(...proposalItems(conversation, newest, 'It answers the assistant'))
  const nod = conversation.asks.at(-1)
  if (nod !== undefined && nod !== newest)
    items.push(...proposalItems(conversation, nod, `Then the user said "${quoteLine(nod.text, 60)}" to`))
  return items
}

function proposalItems(conversation: Digest, ask: Ask, label: string): Item[] {
  const before = conversation.statements.findLast((statement) => statement.at < ask.at)
  // What is quoted as the last words already need not stand here too.
  if (before === undefined || !before.closing || before === lastSubstantive(conversation)) return []
  return [
    {
      text: `${label}: ${quoteLines(lastParagraph(before.text, PROPOSAL_MOST), PROPOSAL_MOST)}`,
      value: VALUE.statement,
    },
  ]
}
