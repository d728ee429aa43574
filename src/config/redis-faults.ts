import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Fault } from '../domain/errors.ts'
import { redisAddress } from '../models/stores/redis-address.ts'
import type { ConfigFile } from './schema.ts'

type RedisSection = ConfigFile['redis']

/** Files of the section as they can be opened wherever the process was started: beside the configuration. */
export function withFilesIn(redis: RedisSection, inFolder: (name: string) => string): RedisSection {
  if (redis.tls === undefined) return redis
  const { ca, cert, key, ...rest } = redis.tls
  const placed = (name: string | undefined) => (name === undefined ? undefined : inFolder(name))
  return { ...redis, tls: { ...rest, ca: placed(ca), cert: placed(cert), key: placed(key) } }
}

/** What is certain to fail, or would be read and ignored (docs/spec/production.md §6). */
export function redisFaults({ url, cluster, sentinels, tls }: RedisSection): Fault[] {
  if (url === '') return []
  const address = redisAddress(url)
  const database = address.fault === undefined ? address.database : 0
  return [
    ...(cluster && database > 0
      ? [{ path: 'redis.url', message: `names database ${database}, and a cluster has only 0; set redis.prefix` }]
      : []),
    ...(cluster && sentinels !== undefined
      ? [{ path: 'redis.sentinels', message: 'know nothing of a cluster; leave out one of the two' }]
      : []),
    ...(tls === undefined ? [] : tlsFaults(tls)),
  ]
}

function tlsFaults(tls: NonNullable<RedisSection['tls']>): Fault[] {
  const pems = (['ca', 'cert', 'key'] as const).map((name) => ({ name, text: contentOf(tls[name]) }))
  const unread = pems.filter(({ text }) => text === null)
  if (unread.length > 0) {
    return unread.map(({ name }) => ({ path: `redis.tls.${name}`, message: 'names a file that cannot be read' }))
  }
  const strange = pems.filter(({ text }) => typeof text === 'string' && !text.includes('-----BEGIN '))
  if (strange.length > 0) {
    return strange.map(({ name }) => ({ path: `redis.tls.${name}`, message: 'names a file that is no PEM' }))
  }
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    return [{ path: 'redis.tls', message: 'needs cert and key together, or neither' }]
  }
  try {
    createSecureContext(Object.fromEntries(pems.map(({ name, text }) => [name, text ?? undefined])))
    return []
  } catch {
    return [{ path: 'redis.tls', message: 'holds a certificate or a key that cannot be used, or two that do not fit' }]
  }
}

/** Undefined where none is named, null where it cannot be read. */
function contentOf(file: string | undefined): string | null | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
