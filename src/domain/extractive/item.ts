/**
 * One entry of a section. `text` may have several lines; it is kept or dropped whole. The higher the value, the longer it
 * stays when the budget is small.
 */
export interface Item {
  readonly text: string
  readonly value: number
  /** The same, shorter, for budgets that have no room for all of it; longest first. */
  readonly shorter?: readonly string[]
}

/** What an entry is worth before its place in the conversation counts. One table, so that families can be weighed against each other. */
export const VALUE = {
  newestRequest: 1000,
  question: 900,
  firstRequest: 850,
  pinned: 800,
  constraint: 700,
  // A path that is lost gets created a second time, so it outlives the reasons and the errors.
  modifiedFile: 660,
  blocked: 650,
  inProgress: 620,
  statement: 600,
  nextStep: 560,
  decision: 500,
  changed: 420,
  claim: 400,
  request: 380,
  errorLine: 340,
  command: 300,
  resolved: 260,
  fact: 240,
  readFile: 200,
} as const

/** Value of an entry of a list: newer ones outlive older ones by up to 40 points. */
export function recent(value: number, at: number, length: number): number {
  return value + Math.round((40 * at) / Math.max(1, length))
}

const SPACES = /\s+/g
const EDGE = /^[\s\-*#>\d.)[\]xX_`"'“”]+|[\s.!;:,_*`"'“”]+$/g

/** Form in which two entries are the same: bullets, marks, case and spaces do not count. */
export function entryKey(text: string): string {
  return text.replace(EDGE, '').replace(SPACES, ' ').toLowerCase()
}

/** Entries without repetitions, the first one kept. */
export function distinct(items: readonly Item[]): Item[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = entryKey(item.text)
    if (key === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}
