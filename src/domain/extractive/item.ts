/** Order of value under a budget (docs/spec/truth.md §6): everything of a lower number goes in before anything of a higher one. */
export const TIER = {
  newest: 0,
  constraint: 1,
  goal: 2,
  open: 3,
  userDecision: 4,
  decision: 5,
  file: 6,
  next: 7,
  outcome: 8,
  change: 9,
  link: 10,
  rest: 11,
} as const

export type Tier = (typeof TIER)[keyof typeof TIER]

/** One entry of a section. `text` may have several lines; it goes in whole or not at all. */
export interface Item {
  readonly text: string
  readonly tier: Tier
  /** Within a tier: the higher, the longer it stays. Newer things have higher ones. */
  readonly rank: number
  /** Entries that follow each other with the same lead share one line: `Edited a, b`. */
  readonly lead?: string | undefined
  /** At most this many entries with this lead are shown: the most valuable ones that no other line says. */
  readonly mostWithLead?: number | undefined
  /** Left out where another line says it; else only where another line says the same in other words. */
  readonly isSaidByName?: true | undefined
  /** A quotation that stands where it is asked for, whatever other lines say. */
  readonly isQuote?: true | undefined
  /** Says where the work stands; what it names is still said elsewhere. */
  readonly isRecord?: true | undefined
  /** What goes in its place when something has to stay out: the line in fewer clauses. */
  readonly shorter?: string | undefined
  /** May be shortened at a word: the newest request and the goal (docs/spec/truth.md §6). */
  readonly isShortenable?: true | undefined
}
