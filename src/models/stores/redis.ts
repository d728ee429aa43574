import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { memoryStore } from './memory.ts'
import { redisLease } from './redis-lease.ts'
import type { RedisLink } from './redis-link.ts'
import { redisMarks } from './redis-marks.ts'
import type { Sealer } from './sealer.ts'
import type { Store } from './store.ts'

export interface RedisStoreOptions {
  readonly link: RedisLink
  readonly clock: Clock
  /** Encrypts the values; without one they are stored in plain text. */
  readonly sealer?: Sealer | undefined
  /** Of the values kept in this process beside those in Redis. */
  readonly maxBytes: number
}

/** Requests of one caller in the running window. */
export interface Count {
  readonly current: number
  /** Until the window ends, in ms. */
  readonly ttl: number
}

/** What all replicas remember together (docs/spec/models.md §9). */
export interface RedisStore extends Store {
  /** Counts one more request; undefined while Redis is away. */
  increment(name: string, windowMs: number): Promise<Count | undefined>
}

/** A counter that lost its end (a crash between two commands of another client) gets a new one, or it would block for ever. */
const INCREMENT = `
local current = redis.call('INCR', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if current == 1 or ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return {current, ttl}`
const counted = z.tuple([z.number(), z.number()])

/** Redis in front of a memory store: within one command timeout of losing it, everything works as it does without Redis. */
export function redisStore({ maxBytes, link, clock, sealer }: RedisStoreOptions): RedisStore {
  const local = memoryStore({ clock, maxBytes })
  const placeOf = (key: string) => `${link.prefix}${key}`
  return {
    ...redisMarks({ link, local, clock }),
    async get(key) {
      const own = await local.get(key)
      if (own !== undefined) return own
      const place = placeOf(key)
      if (sealer === undefined) return (await link.run((redis) => redis.get(place))) ?? undefined
      const sealed = await link.run((redis) => redis.getBuffer(place))
      return sealed === undefined || sealed === null ? undefined : sealer.open(sealed, place)?.toString('utf8')
    },
    async set(key, value, ttlMs) {
      if (ttlMs <= 0) return
      await local.set(key, value, ttlMs)
      const place = placeOf(key)
      const written = sealer?.seal(value, place) ?? value
      await link.run((redis) => redis.set(place, written, 'PX', Math.ceil(ttlMs)))
    },
    lease: (name, ttlMs) => redisLease({ link, local }, name, ttlMs),
    async increment(name, windowMs) {
      const reply = await link.run((redis) => redis.eval(INCREMENT, 1, placeOf(`rate:${name}`), Math.ceil(windowMs)))
      const { data } = counted.safeParse(reply)
      return data === undefined ? undefined : { current: data[0], ttl: data[1] }
    },
    async close() {
      link.close()
    },
  }
}
