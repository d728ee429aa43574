/** What one key may take of what all share (docs/spec/production.md §4). */
export interface CallerLimits {
  /** Of its turns in a queue, beside those of the others. */
  readonly weight: number
  /** Model calls at once; undefined: as many as there is room for. */
  readonly maxConcurrency?: number | undefined
  readonly budget?: Budget | undefined
  /** True where other keys share the places: who has some leaves a few to those who have none. */
  readonly leavesRoom?: boolean | undefined
}

export interface Budget {
  readonly usd?: number | undefined
  /** Input and output together. */
  readonly tokens?: number | undefined
  readonly per: 'day' | 'month'
}

/** Looked up each time, since keys can be reloaded; by the name of the key. */
export type LimitsOf = (caller: string) => CallerLimits

export const NO_LIMITS: CallerLimits = { weight: 1 }
