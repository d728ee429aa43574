import { LRUCache } from 'lru-cache'
import { utf8Length } from '../../domain/tokens/utf8.ts'
import type { Clock } from '../clock.ts'
import type { Store } from './store.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** For values, least recently used first out. 0 keeps none. */
  readonly maxBytes: number
}

/** Marks that can be listed; what Redis mirrors (stores/redis.ts). */
export interface MemoryStore extends Store {
  /** Names and times of all marks that have not passed. */
  marks(): ReadonlyMap<string, number>
}

/** What a map, its entry and the headers of strings cost beside the text. */
const ENTRY_BYTES = 160

/** Counted in bytes: a few large summaries must not cost more memory than many small ones (docs/spec/models.md §5). */
function byteCache({ clock, maxBytes }: MemoryStoreOptions): Pick<LRUCache<string, string>, 'get' | 'set'> | undefined {
  // To the library, 0 means no limit.
  if (maxBytes <= 0) return undefined
  const sizeCalculation = (value: string, key: string) => utf8Length(key) + utf8Length(value) + ENTRY_BYTES
  return new LRUCache({ maxSize: maxBytes, sizeCalculation, ttlResolution: 0, perf: { now: clock.now } })
}

/** What one process remembers. It is gone with the process, and takes over when Redis is away. */
export function memoryStore(options: MemoryStoreOptions): MemoryStore {
  const { clock } = options
  const marks = new Map<string, number>()
  const values = byteCache(options)
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
    get: async (key) => values?.get(key),
    async set(key, value, ttlMs) {
      if (ttlMs > 0) values?.set(key, value, { ttl: Math.ceil(ttlMs) })
    },
    /** It does not expire: its holder lives in this process, and releases it in a `finally`. */
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
