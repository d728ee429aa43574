/** One thing that happened in a stretch of conversation, whatever dialect it was recorded in. */
export type RegionEvent =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'assistant'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: Readonly<Record<string, unknown>>
      /** The result was marked as an error; unmarked failures are recognised from the text. */
      readonly failed: boolean
      /** '' when there was no result. */
      readonly result: string
    }

export type RegionCall = Extract<RegionEvent, { readonly kind: 'call' }>

/**
 * The stretch that a summary replaces, in order: the neutral ground on which sessions, message lists and `/summarize`
 * prompts are audited alike (session-compaction §7.4).
 */
export interface Region {
  readonly events: readonly RegionEvent[]
  /** The texts of the stretch as the model was shown them; paths that occur in none of them are invented. */
  readonly source: readonly string[]
  /** Files modified in the stretch, where the caller knows them better than the calls tell (cumulative details). */
  readonly modifiedFiles?: readonly string[]
}
