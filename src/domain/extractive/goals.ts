import type { Ask, Digest } from './digest.ts'
import { type Item, recent, VALUE } from './item.ts'
import { quoteLine, quoteLines } from './quote.ts'

const NEWEST_MOST = 2400
const FIRST_MOST = 1200
const BETWEEN_MOST = 240
const MOST_BETWEEN = 12

/** The requests that say something, oldest first. */
export function realAsks(conversation: Digest): Ask[] {
  return conversation.asks.filter((ask) => !ask.trivial)
}

/** First and newest request, the newest verbatim. */
export function goalItems(conversation: Digest): Item[] {
  const asks = realAsks(conversation)
  const first = asks[0]
  const newest = asks.at(-1)
  if (first === undefined || newest === undefined) return []
  if (first === newest)
    return [{ text: `User asked: ${quoteLines(first.text, NEWEST_MOST)}`, value: VALUE.newestRequest }]
  return [
    { text: `First request: ${quoteLines(first.text, FIRST_MOST)}`, value: VALUE.firstRequest },
    ...betweenItems(asks.slice(1, -1)),
    { text: `Newest request: ${quoteLines(newest.text, NEWEST_MOST)}`, value: VALUE.newestRequest },
  ]
}

/** Requests between the two, one line each; the newest dozen. */
function betweenItems(asks: readonly Ask[]): Item[] {
  const shown = asks.slice(-MOST_BETWEEN)
  return shown.map((ask, i) => ({
    text: `Then: ${quoteLine(ask.text, BETWEEN_MOST)}`,
    value: recent(VALUE.request, i, shown.length),
  }))
}

/** The newest request alone, verbatim. */
export function taskItems(conversation: Digest): Item[] {
  const newest = realAsks(conversation).at(-1)
  return newest === undefined
    ? []
    : [{ text: `User asked: ${quoteLines(newest.text, NEWEST_MOST)}`, value: VALUE.newestRequest }]
}

/** Only how it began; for lists that show the newest request in a section of its own. */
export function firstGoalItems(conversation: Digest): Item[] {
  const asks = realAsks(conversation)
  const first = asks[0]
  if (first === undefined) return []
  return [
    { text: `First request: ${quoteLines(first.text, FIRST_MOST)}`, value: VALUE.firstRequest },
    ...betweenItems(asks.slice(1, -1)),
  ]
}
