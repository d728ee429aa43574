import type { RedisLink } from '../../models/stores/redis-link.ts'

/**
 * Alone, a replica knows only its own jobs and keys, and they die with it: a Redis that is restarting is waited for. One that
 * stays away longer must not keep work from being done.
 */
export const REDIS_PATIENCE_MS = 5_000

/** Sends it to Redis, once more where the connection was lost meanwhile; undefined where Redis stays away, or refuses. Sending it twice must do no harm. */
export async function insist<T>(
  link: Pick<RedisLink, 'isUp' | 'usable'>,
  say: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await link.usable(REDIS_PATIENCE_MS)
  if (!link.isUp()) return undefined
  const reply = await say()
  if (reply !== undefined || link.isUp()) return reply
  await link.usable(REDIS_PATIENCE_MS)
  return link.isUp() ? say() : undefined
}
