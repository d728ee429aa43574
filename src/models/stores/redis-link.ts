import { Redis } from 'ioredis'
import type { Clock } from '../clock.ts'
import type { ModelObserver } from '../observer.ts'

export interface RedisLinkOptions {
  /** `redis://` or `rediss://`; may hold a password, so it is never shown. */
  readonly url: string
  /** For one command; a Redis that is silent longer counts as away. */
  readonly timeoutMs: number
  readonly clock: Clock
  readonly observer: Pick<ModelObserver, 'redisUp'>
  /** Where the operator is told that Redis is out of reach; at most once a minute. */
  readonly warn: (message: string) => void
}

/** A connection that may be away. */
export interface RedisLink {
  /** Undefined when Redis did not do it in time, or at once while it is known to be away. Never throws. */
  run<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined>
  /** Runs whenever the connection is (again) usable. */
  onUp(listener: () => void): void
  /** Hears a channel on a connection of its own; `onHearing` runs whenever listening began (again). */
  subscribe(channel: string, onMessage: (message: string) => void, onHearing: () => void): void
  close(): void
}

const CONNECT_TIMEOUT_MS = 2_000
const LONGEST_RECONNECT_MS = 2_000
const WARN_EVERY_MS = 60_000

/** Opens the connection in the background: the service starts, and goes on, without Redis (models.md §9). */
export function redisLink(options: RedisLinkOptions): RedisLink {
  return new Link(options)
}

class Link implements RedisLink {
  readonly #options: RedisLinkOptions
  readonly #redis: Redis
  readonly #connections: Redis[] = []
  readonly #listeners: (() => void)[] = []
  #isUp = false
  #isClosed = false
  #warnedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: RedisLinkOptions) {
    this.#options = options
    options.observer.redisUp(false)
    this.#redis = connect(options)
    this.#connections.push(this.#redis)
    this.#redis.on('ready', () => {
      this.#isUp = true
      options.observer.redisUp(true)
      for (const listener of this.#listeners) listener()
    })
    this.#redis.on('error', (error) => this.#lost(error))
    this.#redis.on('close', () => this.#lost(undefined))
  }

  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (!this.#isUp) return undefined
    try {
      return await command(this.#redis)
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') {
        // A refusal (out of memory, read-only replica) is an answer: the connection is fine.
        this.#complain('Redis refuses commands; this replica goes on by itself')
      } else if (this.#isUp) {
        this.#lost(error)
        // What did not answer in time is not asked again until it says that it is ready.
        this.#redis.disconnect(true)
      }
      return undefined
    }
  }

  onUp(listener: () => void): void {
    this.#listeners.push(listener)
  }

  subscribe(channel: string, onMessage: (message: string) => void, onHearing: () => void): void {
    const ear = this.#redis.duplicate()
    this.#connections.push(ear)
    // The other connection says whether Redis is there; this one only comes back by itself.
    ear.on('error', () => {})
    ear.on('ready', () => void ear.subscribe(channel).then(onHearing, () => ear.disconnect(true)))
    ear.on('message', (_channel, message) => onMessage(message))
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#connections) connection.disconnect()
  }

  #lost(error: unknown): void {
    if (this.#isUp && !this.#isClosed) this.#options.observer.redisUp(false)
    this.#isUp = false
    this.#complain(`Redis is out of reach (${causeOf(error, this.#options.timeoutMs)}); this replica goes on by itself`)
  }

  #complain(what: string): void {
    const now = this.#options.clock.now()
    if (this.#isClosed || now - this.#warnedAtMs < WARN_EVERY_MS) return
    this.#warnedAtMs = now
    this.#options.warn(what)
  }
}

function connect({ url, timeoutMs }: RedisLinkOptions): Redis {
  return new Redis(url, {
    protocol: 2,
    commandTimeout: timeoutMs,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (times) => Math.min(LONGEST_RECONNECT_MS, 50 * 2 ** Math.min(times, 8)),
    // A command must not wait for a connection: without one the answer is "not now".
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Listening begins anew, and is followed by reading what was missed.
    autoResubscribe: false,
  })
}

/** An errno or a class of our own: the message of a connection error may hold the URL. */
function causeOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  if (error instanceof Error && error.message === 'Command timed out') return `no reply in ${timeoutMs} ms`
  return error instanceof Error ? error.name : 'connection closed'
}
