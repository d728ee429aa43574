/** A lock somebody holds until it is released or its time is over. */
export interface Lease {
  release(): Promise<void>
}

/**
 * What the wrappers remember beyond one request. Two implementations: memory (one process) and Redis (all replicas,
 * docs/spec/models.md §9). No method ever throws: a store that is out of reach behaves like an empty one of this process.
 */
export interface Store {
  /** Time mark (ms since the epoch) of that name, 0 when there is none or it has passed. Always answered from memory. */
  until(name: string): number
  /** Sets a mark; a later time extends, an earlier one never shortens it (a second 429 must not cut the first one's rest). */
  mark(name: string, untilMs: number): void
  clear(name: string): void
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** `taken`: somebody else holds it. */
  lease(name: string, ttlMs: number): Promise<Lease | 'taken'>
  close(): Promise<void>
}
