import { randomUUID } from 'node:crypto'
import type { RedisLink } from './redis-link.ts'
import type { Lease, Store } from './store.ts'

/** Extends our own lease, and takes it (again) when nobody has it: Redis may have been away, or lost its memory. */
const KEEP = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

/** Only the holder may end a lease: ours may have run out and be another replica's by now. */
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

/**
 * A lease over all replicas, renewed while it is held. Without Redis it is one of this process; that one is taken first in
 * any case, so that Redis coming back does not let a second holder in here.
 */
export async function redisLease(
  { link, local }: { readonly link: RedisLink; readonly local: Store },
  name: string,
  ttlMs: number,
): Promise<Lease | 'taken'> {
  const own = await local.lease(name, ttlMs)
  if (own === 'taken') return 'taken'
  const key = `${link.prefix}lease:${name}`
  const token = randomUUID()
  const got = await link.run((redis) => redis.set(key, token, 'PX', ttlMs, 'NX'))
  if (got === null) {
    await own.release()
    return 'taken'
  }
  const timer = setInterval(() => {
    void link.run((redis) => redis.eval(KEEP, 1, key, token, ttlMs)).then((kept) => kept === 0 && clearInterval(timer))
  }, ttlMs / 3)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      // In this order: whoever gets the lease of this process next must find that of Redis free.
      await link.run((redis) => redis.eval(RELEASE, 1, key, token))
      await own.release()
    },
  }
}
