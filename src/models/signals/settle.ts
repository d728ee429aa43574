import type { Completion, Model } from '../model.ts'
import { ModelError } from '../model-error.ts'

/** What came of asking one model. */
export type Settled =
  | { readonly candidate: Model; readonly completion: Completion }
  | { readonly candidate: Model; readonly error: ModelError }

/**
 * The end of one call as a value. Anything but a ModelError stops everything and is thrown: the signal's reason when the caller
 * left, else a bug of ours.
 */
export function settle(candidate: Model, call: Promise<Completion>, signal: AbortSignal): Promise<Settled> {
  return call.then(
    (completion) => ({ candidate, completion }),
    (error: unknown) => {
      if (signal.aborted) throw signal.reason
      if (!(error instanceof ModelError)) throw error
      return { candidate, error }
    },
  )
}
