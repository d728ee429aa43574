import type { LimitsOf } from './caller-limits.ts'

/** Model calls of each caller, over all providers. */
export interface CallerSlots {
  hasRoom(caller: string): boolean
  take(caller: string): void
  /** Called where calls of this caller wait, to say that one of them may go. */
  give(caller: string): void
  onRoom(listener: () => void): void
}

export function createCallerSlots(limitsOf: LimitsOf): CallerSlots {
  const taken = new Map<string, number>()
  const listeners: (() => void)[] = []
  const countOf = (caller: string) => taken.get(caller) ?? 0
  return {
    hasRoom: (caller) => countOf(caller) < (limitsOf(caller).maxConcurrency ?? Number.POSITIVE_INFINITY),
    take: (caller) => void taken.set(caller, countOf(caller) + 1),
    give(caller) {
      const left = countOf(caller) - 1
      if (left > 0) taken.set(caller, left)
      else taken.delete(caller)
      if (limitsOf(caller).maxConcurrency !== undefined) for (const listener of listeners) listener()
    },
    onRoom: (listener) => void listeners.push(listener),
  }
}
