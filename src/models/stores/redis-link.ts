import type { Clock } from '../clock.ts'
import type { ModelObserver } from '../observer.ts'
import { redisAddress } from './redis-address.ts'
import { type ConnectionOptions, type RedisClient, type RedisPlaceOptions, redisClient } from './redis-client.ts'
import { probeRedis, redisCause } from './redis-probe.ts'

export interface RedisLinkOptions extends RedisPlaceOptions {
  /** In front of every key and channel, so that two environments can share one Redis. */
  readonly prefix: string
  /** For one command; a Redis that is silent longer counts as away. */
  readonly timeoutMs: number
  readonly clock: Clock
  readonly observer: Pick<ModelObserver, 'redisUp'>
  /** Where the operator is told that Redis is out of reach; at most once a minute. */
  readonly warn: (message: string) => void
}

/** A connection that may be away. */
export interface RedisLink {
  readonly prefix: string
  isUp(): boolean
  /** Waits for a Redis that was lost less than this long ago, until that time is over; one that was never there is waited for 5 s at the most. */
  usable(withinMs: number): Promise<void>
  /** Undefined when Redis did not do it in time, or at once while it is known to be away. Never throws. */
  run<T>(command: (redis: RedisClient) => Promise<T>): Promise<T | undefined>
  /** Runs whenever the connection is (again) usable. */
  onUp(listener: () => void): void
  /** The name under which messages about `topic` go: channels are shared by all databases of a server, so ours is in it. */
  channel(topic: string): string
  /** Subscribes to a topic on a connection of its own; `onSubscribed` runs whenever that began (again). */
  subscribe(topic: string, onMessage: (message: string) => void, onSubscribed: () => void): void
  /** One more connection to the same place, for whoever has to wait on it; closed with the link. */
  connect(more: ConnectionOptions): RedisClient
  close(): void
}

const WARN_EVERY_MS = 60_000
const PROBE_AGAIN_MS = 2_000
/** A Redis that did not answer since the start may be one that nobody has started. */
const FIRST_CONNECTION_MS = 5_000

/** Opens the connection in the background: the service starts, and goes on, without Redis (docs/spec/models.md §9). */
export function redisLink(options: RedisLinkOptions): RedisLink {
  return new Link(options)
}

class Link implements RedisLink {
  readonly prefix: string
  readonly #options: RedisLinkOptions
  readonly #redis: RedisClient
  readonly #connections: RedisClient[] = []
  readonly #listeners: (() => void)[] = []
  readonly #waiting = new Set<() => void>()
  #isUp = false
  #wasUp = false
  #lostAtMs: number
  #isClosed = false
  #warnedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: RedisLinkOptions) {
    this.#options = options
    this.prefix = options.prefix
    this.#lostAtMs = options.clock.now()
    options.observer.redisUp(false)
    this.#redis = this.connect({
      commandTimeout: options.timeoutMs,
      // A command must not wait for a connection: without one the answer is "not now".
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    })
    this.#redis.on('ready', () => void this.#probe())
    this.#redis.on('error', (error: unknown) => this.#lost(error))
    this.#redis.on('close', () => this.#lost(undefined))
  }

  isUp(): boolean {
    return this.#isUp
  }

  async usable(withinMs: number): Promise<void> {
    const patienceMs = this.#wasUp ? withinMs : Math.min(withinMs, FIRST_CONNECTION_MS)
    const leftMs = this.#lostAtMs + patienceMs - this.#options.clock.now()
    if (this.#isUp || this.#isClosed || leftMs <= 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const stopWaiting = this.#options.clock.after(leftMs, resolve)
    this.#waiting.add(resolve)
    await promise
    this.#waiting.delete(resolve)
    stopWaiting()
  }

  async run<T>(command: (redis: RedisClient) => Promise<T>): Promise<T | undefined> {
    if (!this.#isUp) return undefined
    try {
      return await command(this.#redis)
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError' && !/^(READONLY|NOAUTH|LOADING)/.test(error.message)) {
        // A refusal (out of memory, no permission) is an answer: the connection is fine.
        this.#complain(`Redis refuses commands (${redisCause(error, 0)}); this replica goes on by itself`)
      } else if (this.#isUp) {
        this.#lost(error)
        // A Redis that did not answer in time is not asked again until it says that it is ready.
        this.#redis.disconnect(true)
      }
      return undefined
    }
  }

  onUp(listener: () => void): void {
    this.#listeners.push(listener)
    if (this.#isUp) listener()
  }

  channel(topic: string): string {
    const address = redisAddress(this.#options.url)
    return `${this.prefix}${address.fault === undefined ? address.database : 0}:${topic}`
  }

  subscribe(topic: string, onMessage: (message: string) => void, onSubscribed: () => void): void {
    const channel = this.channel(topic)
    // Subscribes again, then reads what was missed.
    const subscriber = this.connect({ autoResubscribe: false })
    subscriber.on(
      'ready',
      () => void subscriber.subscribe(channel).then(onSubscribed, () => subscriber.disconnect(true)),
    )
    subscriber.on('message', (_channel: string, message: string) => onMessage(message))
  }

  connect(more: ConnectionOptions): RedisClient {
    const connection = redisClient(this.#options, more)
    this.#connections.push(connection)
    // The first connection says whether Redis is there; the others only come back by themselves.
    connection.on('error', () => {})
    return connection
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#connections) connection.disconnect()
    this.#letGo()
  }

  #letGo(): void {
    for (const goOn of this.#waiting) goOn()
  }

  /** Connected is not yet usable: a replica takes no writes, one node of a cluster only a part of the keys. */
  async #probe(): Promise<void> {
    const fault = await probeRedis(this.#redis, this.#options)
    if (this.#isClosed) return
    if (fault !== undefined) {
      this.#lost(undefined, fault)
      const again = setTimeout(() => {
        if (this.#redis.status === 'ready' && !this.#isClosed) void this.#probe()
      }, PROBE_AGAIN_MS)
      again.unref()
      return
    }
    this.#isUp = true
    this.#wasUp = true
    this.#options.observer.redisUp(true)
    for (const listener of this.#listeners) listener()
    this.#letGo()
  }

  #lost(error: unknown, cause = redisCause(error, this.#options.timeoutMs)): void {
    if (this.#isUp) this.#lostAtMs = this.#options.clock.now()
    if (this.#isUp && !this.#isClosed) this.#options.observer.redisUp(false)
    this.#isUp = false
    this.#complain(`Redis is out of reach (${cause}); this replica goes on by itself`)
  }

  #complain(what: string): void {
    const now = this.#options.clock.now()
    if (this.#isClosed || now - this.#warnedAtMs < WARN_EVERY_MS) return
    this.#warnedAtMs = now
    this.#options.warn(what)
  }
}
