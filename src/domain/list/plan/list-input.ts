import type { ParsedList } from '../../dialects/parse-messages.ts'
import type { CompactionState } from '../state.ts'
import type { ListBudget } from './list-budget.ts'

export interface ListPruneSettings {
  readonly protectTokens?: number | undefined
  readonly minimumSavings?: number | undefined
  readonly protectedTools?: readonly string[] | undefined
}

export interface ListInput extends ParsedList {
  readonly system?: unknown
  readonly tools?: unknown
  readonly budget: ListBudget
  /** Rows kept at the start (after the system prompt) and at least kept at the end. */
  readonly protect: { readonly first: number; readonly last: number }
  /** False: no pass before the summary. */
  readonly prune: boolean | ListPruneSettings
  readonly state: CompactionState
  /** Plan even where the last pass gave out exactly this list. */
  readonly force: boolean
  /** A region that was summarised ahead of time, in the caller's positions; taken where what comes after it is not too much. */
  readonly prepared?: { readonly start: number; readonly end: number } | undefined
}
