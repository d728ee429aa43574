import { utf8Length } from '../../domain/tokens/utf8.ts'

/** Values with an end, the least recently used going first once `maxBytes` are full. */
export interface ByteLru {
  get(key: string, nowMs: number): string | undefined
  set(key: string, value: string, untilMs: number): void
}

/** What Map, entry and string headers cost beside the text. */
const ENTRY_BYTES = 160

/** An LRU counted in bytes: a few large summaries must not cost more memory than many small ones (models.md §5). */
export function byteLru(maxBytes: number): ByteLru {
  const entries = new Map<string, { readonly value: string; readonly untilMs: number; readonly bytes: number }>()
  let bytes = 0
  const remove = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get(key, nowMs) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (entry.untilMs <= nowMs) {
        bytes -= entry.bytes
        return undefined
      }
      // A Map keeps the order of insertion: the front is what nobody asked for longest.
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, untilMs) {
      remove(key)
      const size = utf8Length(key) + utf8Length(value) + ENTRY_BYTES
      if (size > maxBytes) return
      entries.set(key, { value, untilMs, bytes: size })
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
