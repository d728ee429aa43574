import { isRecord } from '../is-record.ts'
import { parseJson } from '../parse-json.ts'
import { matchesAt } from '../text/matches-at.ts'
import { endOfNested } from '../text/read-json.ts'

/** Where a list of messages stands in a text. */
export interface MessageList {
  readonly from: number
  readonly to: number
  readonly messages: readonly Readonly<Record<string, unknown>>[]
}

const LIST = /\[\s{0,100}\{\s{0,100}"/y
const MOST_TRIES = 3

/** The first JSON list of at least two messages (objects with a `role`, or items with a `type`), or null. */
export function findMessageList(text: string): MessageList | null {
  let tries = 0
  for (const { index: from } of matchesAt(text, '[', LIST)) {
    if (tries === MOST_TRIES) return null
    tries += 1
    const to = endOfNested(text, from)
    const messages = messagesIn(text.slice(from, to))
    if (messages !== null) return { from, to, messages }
  }
  return null
}

function messagesIn(json: string): MessageList['messages'] | null {
  const value = parseJson(json)
  if (!Array.isArray(value) || value.length < 2 || !value.every(isItem)) return null
  return value.some((item) => typeof item['role'] === 'string') ? value : null
}

function isItem(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && (typeof value['role'] === 'string' || typeof value['type'] === 'string')
}

/** Where each element of a JSON list begins: the borders at which it may be parted. */
export function elementBorders(json: string): number[] {
  const borders: number[] = []
  for (let at = json.indexOf('{'); at >= 0; at = json.indexOf('{', at)) {
    borders.push(at)
    at = endOfNested(json, at)
  }
  return borders
}
