import { readFileSync } from 'node:fs'
import { Cluster, Redis } from 'ioredis'
import { defined } from '../../domain/defined.ts'
import { redisAddress } from './redis-address.ts'

/** Commands are the same for both. */
export type RedisClient = Redis | Cluster

/** Where Redis is and how it is reached (docs/spec/production.md §6). */
export interface RedisPlaceOptions {
  /** `redis://` or `rediss://`; may hold a password, so it is never shown. */
  readonly url: string
  /** Asked who the main server is; user, password and database are those of the URL. */
  readonly sentinels?: { readonly name: string; readonly nodes: readonly string[] } | undefined
  readonly cluster: boolean
  readonly tls?: RedisTls | undefined
}

export interface RedisTls {
  /** Files with PEM. */
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly servername?: string | undefined
  readonly rejectUnauthorized: boolean
}

/** How one connection differs from another. */
export interface ConnectionOptions {
  readonly commandTimeout?: number
  readonly enableOfflineQueue?: boolean
  readonly autoResendUnfulfilledCommands?: boolean
  readonly autoResubscribe?: boolean
  readonly maxRetriesPerRequest?: number | null
}

const CONNECT_TIMEOUT_MS = 2_000
const LONGEST_RECONNECT_MS = 2_000

/** How a client of ours waits and comes back; `more` is what its use needs beyond that. */
export function redisClient(place: RedisPlaceOptions, more: ConnectionOptions = {}): RedisClient {
  const address = redisAddress(place.url)
  if (address.fault !== undefined) throw new RangeError(`redis.url ${address.fault}`)
  const { host, port, database: db, username, password } = address
  const tls = place.tls !== undefined || address.encrypted ? tlsOf(place.tls) : undefined
  const retryStrategy = (times: number) => Math.min(LONGEST_RECONNECT_MS, 50 * 2 ** Math.min(times, 8))
  const options = defined({
    protocol: 2 as const,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy,
    username,
    password,
    tls,
    ...more,
  })
  if (place.cluster) {
    return new Cluster([{ host, port }], {
      redisOptions: options,
      clusterRetryStrategy: retryStrategy,
      enableOfflineQueue: more.enableOfflineQueue ?? true,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    })
  }
  if (place.sentinels === undefined) return new Redis({ ...options, host, port, db })
  const { name, nodes } = place.sentinels
  const enableTLSForSentinelMode = tls !== undefined
  return new Redis(
    defined({ ...options, sentinelTLS: tls, enableTLSForSentinelMode, db, name, sentinels: nodes.map(nodeOf) }),
  )
}

const SENTINEL_PORT = 26_379

function nodeOf(text: string): { host: string; port: number } {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  return { host, port: port === undefined ? SENTINEL_PORT : Number(port) }
}

const tlsOf = ({ ca, cert, key, ...rest }: Partial<RedisTls> = {}) =>
  defined({ ...rest, ca: contentOf(ca), cert: contentOf(cert), key: contentOf(key) })

const contentOf = (file: string | undefined): Buffer | undefined =>
  file === undefined ? undefined : readFileSync(file)
