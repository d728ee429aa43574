import type { Named } from '../ledger-value.ts'

/** A link as it was met, and how often. */
export interface Counted extends Named {
  readonly times: number
}

const LABELED = /^(PR|pull request|MR|issue|ticket) ?#?(\d{1,12})$/i
const BARE = /^#(\d{1,12})$/

/**
 * One entry for one number: `#51` and `pull request #51` beside `PR #51` are the same thing, and would take the places of others.
 * An issue and a merge request of one number are two. Keeps the order of the newest mention.
 */
export function withOneNumber(links: readonly Counted[]): Counted[] {
  const kinds = new Map<string, Set<string>>()
  for (const { text } of links) {
    const [, label, number] = LABELED.exec(text) ?? []
    if (label === undefined || number === undefined) continue
    kinds.set(number, (kinds.get(number) ?? new Set()).add(kindOf(label)))
  }
  const found = new Map<string, Counted>()
  for (const link of links) {
    const key = keyOf(link.text, kinds)
    const before = found.get(key)
    found.delete(key)
    found.set(key, before === undefined ? link : together(before, link))
  }
  return [...found.values()]
}

const kindOf = (label: string): string => (/^pull/i.test(label) ? 'pr' : label.toLowerCase())

function keyOf(text: string, kinds: ReadonlyMap<string, ReadonlySet<string>>): string {
  const [, label, labeled] = LABELED.exec(text) ?? []
  if (label !== undefined) return `${kindOf(label)} ${labeled}`
  const number = BARE.exec(text)?.[1]
  const known = number === undefined ? undefined : kinds.get(number)
  // With two of that number nobody knows which is meant.
  return known?.size === 1 ? `${[...known].join('')} ${number}` : text
}

/** The form that says what it is, the shorter of two. */
function together(before: Counted, link: Counted): Counted {
  const forms = [before.text, link.text].sort((a, b) => a.length - b.length)
  return {
    text: forms.find((text) => LABELED.test(text)) ?? link.text,
    turn: link.turn,
    times: before.times + link.times,
    worth: Math.max(before.worth, link.worth),
  }
}
