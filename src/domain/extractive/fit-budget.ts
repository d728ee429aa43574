import { utf8Length } from '../tokens/utf8.ts'
import type { AskedHeading } from './asked-headings.ts'
import type { Item } from './item.ts'

/** A heading with its entries. */
export interface Section {
  readonly heading: AskedHeading
  readonly items: readonly Item[]
}

const NOTHING = '(none)'

/**
 * The document within a budget of bytes: entries go whole, the least valuable first; headings stay as long as any budget
 * allows. Never over, never half an entry.
 */
export function renderWithin(notice: string, sections: readonly Section[], maxBytes: number): string {
  const whole = render(notice, sections, null, true)
  if (utf8Length(whole) <= maxBytes) return whole
  const ranked = sections
    .flatMap((section) => section.items)
    .map((item, order) => ({ item, order }))
    .sort((a, b) => b.item.value - a.item.value || a.order - b.order)
  const kept = new Map<Item, string>()
  let used = utf8Length(render(notice, sections, kept, false))
  if (used > maxBytes) return fewerHeadings(notice, sections, ranked[0]?.item, maxBytes)
  for (const { item } of ranked) {
    // A number, a checkbox and the end of the line weigh at most ten bytes.
    const text = [item.text, ...(item.shorter ?? [])].find((each) => used + utf8Length(each) + 10 <= maxBytes)
    if (text === undefined) continue
    kept.set(item, text)
    used += utf8Length(text) + 10
  }
  return render(notice, sections, kept, false)
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
    const texts = i === 0 && best !== undefined ? [best.text, ...(best.shorter ?? [])] : []
    const fitting = texts.find((each) => utf8Length(text) + utf8Length(each) + 3 <= maxBytes)
    if (fitting !== undefined) add(`- ${fitting}`)
  })
  return text
}
