/** How much of what all keys share one key may take (docs/spec/production.md §4). */
export interface CallerLimits {
  /** Its share of turns in a queue, relative to the others'. */
  readonly weight: number
  /** Model calls at once; undefined: as many as there is room for. */
  readonly maxConcurrency?: number | undefined
  readonly budget?: Budget | undefined
  /** True where other keys share the places: a key that holds some leaves a few to those that hold none. */
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
