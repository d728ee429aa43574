import type { RedisLink } from '../../models/stores/redis-link.ts'

/**
 * Alone, a replica knows only its own jobs and keys: two that are asked with one key would make two jobs, and two bills. So a Redis
 * that is restarting is waited for, with the time it takes to read its log. One that stays away longer must not keep work from
 * being done.
 */
export const REDIS_PATIENCE_MS = 30_000

/** A caller who only wants to know is asked to come again sooner. */
export const READ_PATIENCE_MS = 5_000

/** Sends it to Redis, once more where the connection was lost meanwhile; undefined where Redis stays away, or refuses. Sending it twice must do no harm. */
export async function insist<T>(
  link: Pick<RedisLink, 'isUp' | 'usable'>,
  say: () => Promise<T | undefined>,
  patienceMs = REDIS_PATIENCE_MS,
): Promise<T | undefined> {
  await link.usable(patienceMs)
  if (!link.isUp()) return undefined
  const reply = await say()
  if (reply !== undefined || link.isUp()) return reply
  await link.usable(patienceMs)
  return link.isUp() ? say() : undefined
}
