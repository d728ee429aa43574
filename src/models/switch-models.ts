import type { BuiltModels } from './build-models.ts'

export interface SwitchedModels extends BuiltModels {
  /** From now on these are asked; what runs goes on with the ones it began with, which close behind it. */
  replace(next: BuiltModels): void
}

/** Models that can be replaced while the service runs: prices, keys, candidates and time limits are theirs. */
export function switchModels(first: BuiltModels): SwitchedModels {
  let current = first
  return {
    get known() {
      return current.known
    },
    select: (selection) => current.select(selection),
    states: () => current.states(),
    mode: () => current.mode(),
    breakers: () => current.breakers(),
    restingKeys: () => current.restingKeys(),
    close: () => current.close(),
    replace(next) {
      const old = current
      current = next
      // Running exchanges are waited for.
      void old.close()
    },
  }
}
