import { createHash } from 'node:crypto'
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../models/clock.ts'

/** Requests of one caller in the running window; `ttl` in ms until it ends. */
interface Count {
  readonly current: number
  readonly ttl: number
}

export interface RateLimitStoreOptions {
  readonly clock: Clock
  /** Counts over all replicas; undefined, within one command timeout, while Redis is away (stores/redis.ts). */
  readonly shared?: (name: string, windowMs: number) => Promise<Count | undefined>
}

/** Callers remembered in this process; beyond it the one that was silent longest starts over. */
const MOST_CALLERS = 10_000

/**
 * The `store` class for @fastify/rate-limit: the count of all replicas where there is one, else this process's own. The
 * plugin alone knows only to fail or not to limit when Redis is away (docs/spec/models.md §9).
 */
export function rateLimitStore(options: RateLimitStoreOptions): FastifyRateLimitStoreCtor {
  return class RateLimitStore implements FastifyRateLimitStore {
    readonly #space: string
    readonly #windows = localWindows(options.clock)

    /** The plugin gives its options here; routes with limits of their own come through `child`. */
    constructor(_options: object, space = '') {
      this.#space = space
    }

    incr(key: string, callback: (error: Error | null, count?: Count) => void, windowMs: number): void {
      const name = `${this.#space}${key}`
      if (options.shared === undefined) callback(null, this.#windows(name, windowMs))
      else {
        this.#count(name, options.shared, windowMs).then(
          (count) => callback(null, count),
          (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
        )
      }
    }

    child(route: { readonly method?: string | string[]; readonly url?: string }): FastifyRateLimitStore {
      return new RateLimitStore(route, `${route.method ?? ''} ${route.url ?? ''} `)
    }

    async #count(
      name: string,
      countShared: NonNullable<RateLimitStoreOptions['shared']>,
      windowMs: number,
    ): Promise<Count> {
      // Names may be client addresses: what leaves this process is their hash.
      const shared = await countShared(createHash('sha256').update(name).digest('base64url'), windowMs)
      return shared ?? this.#windows(name, windowMs)
    }
  }
}

/** Fixed windows, one a caller; the one that was silent longest is forgotten first. */
function localWindows(clock: Clock): (name: string, windowMs: number) => Count {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MOST_CALLERS })
  return (name, windowMs) => {
    const now = clock.now()
    let window = windows.get(name)
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + windowMs }
      windows.set(name, window)
    }
    window.count += 1
    return { current: window.count, ttl: window.endsAt - now }
  }
}
