import type { BuiltModels } from './build-models.ts'
import type { Clock } from './clock.ts'

export interface SwitchedModels extends BuiltModels {
  /** From now on these are asked; what is running continues with the ones it began with. */
  replace(next: BuiltModels): void
}

export interface SwitchOptions {
  readonly clock: Clock
  /** Nothing that began with the old ones runs longer, in ms. */
  readonly requestMs: number
}

/**
 * Models that can be replaced while the service runs: prices, keys, candidates and time limits are theirs. A request that waits for its
 * next try, for a place in a queue or for an earlier part has no open exchange, so the old ones close only when
 * every request that knows them is over.
 */
export function switchModels(first: BuiltModels, { clock, requestMs }: SwitchOptions): SwitchedModels {
  let current = first
  const replaced = new Map<BuiltModels, () => void>()
  return {
    get known() {
      return current.known
    },
    get chain() {
      return current.chain
    },
    pinned: () => current,
    select: (selection) => current.select(selection),
    states: () => current.states(),
    mode: () => current.mode(),
    breakers: () => current.breakers(),
    restingKeys: () => current.restingKeys(),
    async close() {
      for (const stopWaiting of replaced.values()) stopWaiting()
      await Promise.all([current, ...replaced.keys()].map((models) => models.close()))
    },
    replace(next) {
      const old = current
      current = next
      const closeOld = () => {
        replaced.delete(old)
        void old.close()
      }
      replaced.set(old, clock.after(requestMs, closeOld))
    },
  }
}
