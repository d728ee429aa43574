import { utf8Length } from '../tokens/utf8.ts'
import type { AskedHeading } from './asked-headings.ts'
import { chooseItems, type Kept, type Room, type Section } from './fit-budget.ts'
import type { Item } from './item.ts'

const NOTHING = '(none)'

/** The document within its room: headings stay as long as any budget allows, entries by their worth. Never half an entry. */
export function renderWithin(notice: string, sections: readonly Section[], room: Room): string {
  const nothing: Kept = new Map()
  const frame = utf8Length(render(notice, sections, { kept: nothing, fillers: true }))
  if (frame + 60 <= room.most) {
    const kept = chooseItems(sections, frame, room)
    if (kept.size > 0 || sections.every(({ items }) => items.length === 0))
      return render(notice, sections, { kept, fillers: true })
  }
  const bare = utf8Length(render(notice, sections, { kept: nothing, fillers: false }))
  const kept = bare >= room.most ? nothing : chooseItems(sections, bare, room)
  return kept.size > 0 ? render(notice, sections, { kept, fillers: false }) : fewerHeadings(notice, sections, room)
}

function render(
  notice: string,
  sections: readonly Section[],
  { kept, fillers }: { readonly kept: Kept; readonly fillers: boolean },
): string {
  const parts = [notice, '']
  for (const { heading, items } of sections) {
    parts.push(heading.line)
    const entries = entriesOf(items, kept)
    parts.push(...entries.map((text, i) => `${mark(heading, i)}${text}`))
    if (entries.length === 0 && !heading.isParent && fillers)
      parts.push(heading.style === 'numbered' ? NOTHING : `- ${NOTHING}`)
    if (!heading.isParent) parts.push('')
  }
  return parts.join('\n').trimEnd()
}

/** Neighbors with the same lead share a line. */
function entriesOf(items: readonly Item[], kept: Kept): string[] {
  const entries: { lead: string | undefined; text: string }[] = []
  for (const item of items) {
    const text = kept.get(item)
    if (text === undefined) continue
    const last = entries.at(-1)
    if (item.lead !== undefined && last?.lead === item.lead) last.text += `, ${text}`
    else entries.push({ lead: item.lead, text: `${item.lead ?? ''}${text}` })
  }
  return entries.map(({ text }) => text)
}

function mark(heading: AskedHeading, i: number): string {
  if (heading.style === 'numbered') return `${i + 1}. `
  return heading.style === 'checked' ? '- [x] ' : heading.style === 'unchecked' ? '- [ ] ' : '- '
}

/** A budget too small for the headings: the first ones that fit, with the newest request under the first. */
function fewerHeadings(notice: string, sections: readonly Section[], room: Room): string {
  let text = utf8Length(notice) <= room.most ? notice : ''
  const add = (line: string): void => {
    const longer = text === '' ? line : `${text}\n${line}`
    if (utf8Length(longer) <= room.most) text = longer
  }
  sections.forEach(({ heading }, i) => {
    add(heading.line)
    if (i > 0) return
    for (const entry of chooseItems(sections, utf8Length(text) + 1, room).values()) {
      add(`- ${entry}`)
      break
    }
  })
  return text
}
