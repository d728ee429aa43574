import type { LimitsOf } from './caller-limits.ts'

/** A queue in which no caller waits until all calls of another are done. */
export interface FairQueue<Item> {
  readonly size: number
  push(caller: string, item: Item): void
  remove(caller: string, item: Item): void
  /** Whose turn it is, among those who may go now: weighted round robin between callers, first come first served within one. */
  take(mayGo: (caller: string) => boolean): Item | undefined
  /** The newest item of whoever has more than its share of a full queue, to make room for `caller`; undefined: itself. */
  evictFor(caller: string): Item | undefined
}

interface Line<Item> {
  readonly items: Set<Item>
  /** Smooth weighted round robin: grows by the weight at each turn, shrinks by all weights at its own. */
  credit: number
}

/** A Set keeps the order of arrival and deletes anywhere in constant time, so an aborted waiter leaves no hole behind. */
export function createFairQueue<Item>(limitsOf: LimitsOf): FairQueue<Item> {
  const lines = new Map<string, Line<Item>>()
  let size = 0

  function remove(caller: string, item: Item): void {
    const line = lines.get(caller)
    if (line?.items.delete(item) !== true) return
    size -= 1
    if (line.items.size === 0) lines.delete(caller)
  }

  function nextCaller(mayGo: (caller: string) => boolean): string | undefined {
    let total = 0
    let best: { readonly caller: string; readonly line: Line<Item> } | undefined
    for (const [caller, line] of lines) {
      if (!mayGo(caller)) continue
      const { weight } = limitsOf(caller)
      total += weight
      line.credit += weight
      if (best === undefined || line.credit > best.line.credit) best = { caller, line }
    }
    if (best !== undefined) best.line.credit -= total
    return best?.caller
  }

  return {
    get size() {
      return size
    },
    push(caller, item) {
      const line = lines.get(caller) ?? { items: new Set<Item>(), credit: 0 }
      lines.set(caller, line)
      line.items.add(item)
      size += 1
    },
    remove,
    take(mayGo) {
      const caller = nextCaller(mayGo)
      if (caller === undefined) return undefined
      const [item] = lines.get(caller)?.items ?? []
      if (item !== undefined) remove(caller, item)
      return item
    },
    evictFor(caller) {
      const shareOf = (name: string, items: number) => items / limitsOf(name).weight
      let most = { caller, share: shareOf(caller, (lines.get(caller)?.items.size ?? 0) + 1) }
      for (const [name, { items }] of lines) {
        const share = shareOf(name, items.size)
        if (share > most.share) most = { caller: name, share }
      }
      if (most.caller === caller) return undefined
      const item = [...(lines.get(most.caller)?.items ?? [])].at(-1)
      if (item !== undefined) remove(most.caller, item)
      return item
    },
  }
}
