import type { Clock } from '../clock.ts'
import { byteLru } from './byte-lru.ts'
import type { Store } from './store.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** For values, least recently used first out. 0 keeps none. */
  readonly maxBytes: number
}

/** Marks that can be read back whole; what Redis mirrors (stores/redis.ts). */
export interface MemoryStore extends Store {
  /** Names and times of all marks still ahead. */
  marks(): ReadonlyMap<string, number>
}

/** What one process remembers. Gone with it, and the ground that Redis falls back to. */
export function memoryStore({ clock, maxBytes }: MemoryStoreOptions): MemoryStore {
  const marks = new Map<string, number>()
  const values = byteLru(maxBytes)
  const leases = new Set<string>()

  const until = (name: string) => {
    const untilMs = marks.get(name)
    if (untilMs === undefined) return 0
    if (untilMs > clock.now()) return untilMs
    marks.delete(name)
    return 0
  }
  return {
    until,
    mark(name, untilMs) {
      if (untilMs > until(name)) marks.set(name, untilMs)
    },
    clear: (name) => void marks.delete(name),
    marks() {
      for (const name of [...marks.keys()]) until(name)
      return marks
    },
    get: async (key) => values.get(key, clock.now()),
    async set(key, value, ttlMs) {
      if (ttlMs > 0) values.set(key, value, clock.now() + ttlMs)
    },
    /** No end by itself: whoever holds it lives in this process, and releases it in a `finally`. */
    async lease(name) {
      if (leases.has(name)) return 'taken'
      leases.add(name)
      let held = true
      return {
        async release() {
          if (held) leases.delete(name)
          held = false
        },
      }
    },
    async close() {},
  }
}
