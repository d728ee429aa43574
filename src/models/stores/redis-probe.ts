import type { RedisClient } from './redis-client.ts'

/** Refusals by the word they begin with, as an operator can act on them. */
const REFUSALS: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^WRONGPASS/, 'WRONGPASS: the user or the password of redis.url is wrong'],
  [/^NOAUTH/, 'NOAUTH: Redis asks for a password and redis.url has none'],
  [/^ERR .*AUTH/, 'Redis refuses the password: authentication failed'],
  [/^NOPERM/, 'NOPERM: the user of redis.url may not use these commands or keys'],
  [/^READONLY/, 'READONLY: it is a read-only replica; name the main server, or redis.sentinels'],
  [/^(MOVED|ASK|CLUSTERDOWN|CROSSSLOT)/, 'it is a node of a cluster; set redis.cluster: true'],
  [/^OOM/, 'OOM: Redis has no memory left'],
  [/^MISCONF/, 'MISCONF: Redis cannot save to its disk and takes no writes'],
  [/^LOADING/, 'LOADING: Redis is reading its data'],
  [/^(ERR )?(DB index|invalid DB)/i, 'the database of redis.url does not exist'],
]

/** What the client library says without a code when a connection ends under a command. */
const ENDINGS: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^(Connection is closed|Stream isn't writeable)/, 'connection closed'],
  [/^connect ETIMEDOUT/, 'ETIMEDOUT'],
  [/^Socket timeout/, 'socket timeout'],
]

/** An errno, a refusal in our words, or a class: the message of a connection error may hold the URL. */
export function redisCause(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'connection closed'
  const refusal = refusalOf(error) ?? refusalOf('lastNodeError' in error ? error.lastNodeError : undefined)
  if (refusal !== undefined) return refusal
  if (error.name === 'ReplyError') return /^[A-Z]+/.exec(error.message)?.[0] ?? 'a refusal'
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error.message === 'Command timed out') return `no reply in ${timeoutMs} ms`
  const ending = ENDINGS.find(([pattern]) => pattern.test(error.message))?.[1]
  if (ending !== undefined) return ending
  return 'lastNodeError' in error ? redisCause(error.lastNodeError, timeoutMs) : error.name
}

function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return REFUSALS.find(([pattern]) => pattern.test(error.message))?.[1]
}

/** Why a connected Redis cannot be used, or undefined. */
export async function probeRedis(
  redis: RedisClient,
  { prefix, cluster, timeoutMs }: { readonly prefix: string; readonly cluster: boolean; readonly timeoutMs: number },
): Promise<string | undefined> {
  try {
    if (!cluster && (await isClusterNode(redis))) return 'it is a node of a cluster; set redis.cluster: true'
    await redis.set(`${prefix}probe`, '1', 'PX', 1_000)
    return undefined
  } catch (error) {
    return redisCause(error, timeoutMs)
  }
}

/** Not every user may ask; without an answer we assume that it is none. */
async function isClusterNode(redis: RedisClient): Promise<boolean> {
  try {
    return /^redis_mode:cluster/m.test(await redis.info('server'))
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return false
    throw error
  }
}
