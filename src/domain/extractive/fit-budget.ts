import { utf8Length } from '../tokens/utf8.ts'
import type { AskedHeading } from './asked-headings.ts'
import type { Item } from './item.ts'

/** A heading with its entries. */
export interface Section {
  readonly heading: AskedHeading
  readonly items: readonly Item[]
}

const NOTHING = '(none)'
/** A number, a checkbox and the end of the line weigh at most so much. */
const MARK_BYTES = 10
/** What each further entry of a section is worth less, so that one long section cannot starve the others. */
const STEP_DOWN = 50

/**
 * The document within a budget of bytes: entries go whole, the least valuable first; headings stay as long as any budget
 * allows. Never over, never half an entry.
 */
export function renderWithin(notice: string, sections: readonly Section[], maxBytes: number): string {
  const whole = render(notice, sections, null, true)
  if (utf8Length(whole) <= maxBytes) return whole
  const ranked = byWorth(sections)
  const kept = new Map<Item, string>()
  let used = utf8Length(render(notice, sections, kept, false))
  const best = ranked[0]
  // The most valuable entry, which is the newest request, is the last thing to go: headings go before it.
  if (used > maxBytes || (best !== undefined && fitting(best, maxBytes - used) === undefined))
    return fewerHeadings(notice, sections, best, maxBytes)
  for (const item of ranked) {
    const text = fitting(item, maxBytes - used)
    if (text === undefined) continue
    kept.set(item, text)
    used += utf8Length(text) + MARK_BYTES
  }
  return render(notice, sections, kept, false)
}

/** Entries by worth: their own value, and the place they have in their section by it. */
function byWorth(sections: readonly Section[]): Item[] {
  const worths = sections.flatMap(({ items }) => {
    const ranked = items.map((item, at) => ({ item, at })).sort((a, b) => b.item.value - a.item.value || b.at - a.at)
    return ranked.map(({ item }, rank) => ({ item, worth: item.value - STEP_DOWN * rank }))
  })
  return worths
    .map((each, order) => ({ ...each, order }))
    .sort((a, b) => b.worth - a.worth || a.order - b.order)
    .map(({ item }) => item)
}

/** The longest form of an entry that has room. */
function fitting(item: Item, bytes: number): string | undefined {
  return [item.text, ...(item.shorter ?? [])].find((text) => utf8Length(text) + MARK_BYTES <= bytes)
}

function render(
  notice: string,
  sections: readonly Section[],
  kept: ReadonlyMap<Item, string> | null,
  fillers: boolean,
): string {
  const parts = [notice, '']
  sections.forEach(({ heading, items }) => {
    parts.push(heading.line)
    const shown = items.flatMap((item) => (kept === null ? item.text : (kept.get(item) ?? [])))
    parts.push(...shown.map((text, i) => `${mark(heading, i)}${text}`))
    if (shown.length === 0 && !heading.isParent && fillers)
      parts.push(heading.style === 'numbered' ? NOTHING : `- ${NOTHING}`)
    if (!heading.isParent) parts.push('')
  })
  return parts.join('\n').trimEnd()
}

function mark(heading: AskedHeading, i: number): string {
  if (heading.style === 'numbered') return `${i + 1}. `
  return heading.style === 'checked' ? '- [x] ' : heading.style === 'unchecked' ? '- [ ] ' : '- '
}

/** A budget too small for the headings: the first ones that fit, with the most valuable entry under the first. */
function fewerHeadings(notice: string, sections: readonly Section[], best: Item | undefined, maxBytes: number): string {
  let text = utf8Length(notice) <= maxBytes ? notice : ''
  const add = (line: string): void => {
    const longer = text === '' ? line : `${text}\n${line}`
    if (utf8Length(longer) <= maxBytes) text = longer
  }
  sections.forEach(({ heading }, i) => {
    add(heading.line)
    const entry = i === 0 && best !== undefined ? fitting(best, maxBytes - utf8Length(text)) : undefined
    if (entry !== undefined) add(`- ${entry}`)
  })
  return text
}
