import { matchesAt } from '../text/matches-at.ts'
import { findDialogue, findLabels, type Label } from '../text/structure/find-labels.ts'
import { FRAMES } from '../text/structure/frames.ts'
import { ordersSummary } from '../text/structure/summary-request.ts'
import { findMessageList } from './json-messages.ts'
import { lastClosing } from './last-closing.ts'

/** Where a conversation stands in a prompt: `from`..`to` with its tags, `start`..`end` without. */
export interface PromptRegion {
  readonly from: number
  readonly start: number
  readonly end: number
  readonly to: number
}

/**
 * A conversation in tags: from the first opening to the last closing tag, since data may hold such tags (docs/spec/models.md §6). Tags
 * at the start of a line win over tags in a sentence; names that other texts use as well need labels or messages inside.
 */
export function findTagged(prompt: string): PromptRegion | null {
  const found = firstTags(prompt).flatMap(([name, first]) => tagged(prompt, name, first) ?? [])
  return found.reduce<PromptRegion | null>((one, other) => (one === null || other.from < one.from ? other : one), null)
}

const SURE = 'conversation'

const TAGS = new RegExp(`<(${FRAMES.conversations.join('|')})>`, 'y')

/** Every name that a tag opens, with the place of the first: one search for all. */
function firstTags(prompt: string): (readonly [name: string, first: number])[] {
  const firsts = new Map<string, number>()
  for (const { 1: name = '', index } of matchesAt(prompt, '<', TAGS)) if (!firsts.has(name)) firsts.set(name, index)
  return [...firsts]
}

function tagged(prompt: string, name: string, first: number): PromptRegion | null {
  const tag = `<${name}>`
  const line = lineStarting(prompt, tag, first)
  if (line < 0 && name !== SURE) return null
  const from = line < 0 ? first : line
  const inside = from + tag.length
  const closing = lastClosing(prompt, name, inside)
  if (closing === null) return null
  const start = Math.min(prompt[inside] === '\n' ? inside + 1 : inside, closing.from)
  const region = { from, start, end: closing.from, to: closing.to }
  const body = prompt.slice(start, closing.from)
  const list = findMessageList(body)
  if (list !== null) return { ...region, start: start + list.from, end: start + list.to }
  return name === SURE || findLabels(body).length > 0 ? region : null
}

/** The first `tag` with nothing but blanks before it on its line; -1 for none. */
function lineStarting(text: string, tag: string, from: number): number {
  for (let at = from; at >= 0; at = text.indexOf(tag, at + tag.length)) {
    let before = at - 1
    while (before >= 0 && at - before < 40 && (text[before] === ' ' || text[before] === '\t')) before -= 1
    if (before < 0 || text[before] === '\n') return at
  }
  return -1
}

/** A conversation without tags: the labels of a dialogue, or a JSON list of messages. */
export function findLoose(prompt: string): PromptRegion | null {
  const labels = findDialogue(prompt)
  const [first] = labels
  if (first !== undefined) {
    return { from: first.at, start: first.at, ...endOfTalk(prompt, labels) }
  }
  const list = findMessageList(prompt)
  return list === null ? null : { ...wrapped(prompt, list), start: list.from, end: list.to }
}

const HOLDER = /\{\s{0,20}"(?:messages|contents|input|items|history|conversation)"\s{0,5}:\s{0,20}$/
const FENCE = /(?:^|\n)`{3,8}[a-z]{0,12}\s{0,20}$/

/** A fence around a list of messages and the object that holds it are no instructions. */
function wrapped(
  prompt: string,
  { from, to }: { readonly from: number; readonly to: number },
): Pick<PromptRegion, 'from' | 'to'> {
  let [start, end] = [from, to]
  for (const [opening, closing] of [
    [HOLDER, /^\s{0,20}\}/],
    [FENCE, /^\s{0,20}`{3,8}(?=\s|$)/],
  ] as const) {
    const open = opening.exec(prompt.slice(Math.max(0, start - 100), start))
    const close = closing.exec(prompt.slice(end, end + 40))
    if (open === null || close === null) continue
    start -= open[0].length
    end += close[0].length
  }
  return { from: start, to: end }
}

/** Without tags the instructions follow the last words: from the first paragraph that orders a summary on. */
function endOfTalk(prompt: string, labels: readonly Label[]): Pick<PromptRegion, 'end' | 'to'> {
  const last = labels.at(-1)
  const at = (end: number, to = end): Pick<PromptRegion, 'end' | 'to'> => ({ end, to })
  if (last === undefined) return at(prompt.length)
  if (last.family === 'tag') {
    const closing = prompt.indexOf(`</${last.name}>`, last.textAt)
    return at(closing < 0 ? prompt.length : closing + last.name.length + 3)
  }
  const isOrder = (from: number): boolean => ordersSummary(paragraphAt(prompt, from))
  if (last.role === 'user' && labels.length > 2 && isOrder(last.textAt)) return at(last.at, last.textAt)
  for (let from = nextParagraph(prompt, last.textAt); from >= 0; from = nextParagraph(prompt, from)) {
    if (isOrder(from)) return at(from)
  }
  return at(prompt.length)
}

const GAP = /\n\r?\n/g

function nextParagraph(text: string, from: number): number {
  GAP.lastIndex = from
  return GAP.exec(text) === null ? -1 : GAP.lastIndex
}

function paragraphAt(text: string, from: number): string {
  const next = nextParagraph(text, from)
  return text.slice(from, next < 0 ? undefined : next)
}
