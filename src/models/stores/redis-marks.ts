import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'
import type { Clock } from '../clock.ts'
import type { MemoryStore } from './memory.ts'
import type { RedisLink } from './redis-link.ts'
import type { Store } from './store.ts'

export interface RedisMarksOptions {
  readonly link: RedisLink
  readonly local: MemoryStore
  readonly clock: Clock
}

/** Later times win on the server too; the hash goes when its last mark has passed. */
const MARK = `
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old and tonumber(old) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local left = tonumber(ARGV[3])
if redis.call('PTTL', KEYS[1]) < left then redis.call('PEXPIRE', KEYS[1], left) end
redis.call('PUBLISH', ARGV[5], ARGV[4])
return 1`

const CLEAR = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[3], ARGV[2])
return 1`

const CLEARED = 0
const TOPIC = 'marks-changed'
/** Sender, name, and the time or CLEARED. */
const change = z.tuple([z.string(), z.string(), z.number()])

/**
 * Marks of all replicas, mirrored: reading never leaves this process, writing goes to Redis and, by its channel, to the
 * others. What happened while Redis was away is sent when it is back.
 */
export function redisMarks(options: RedisMarksOptions): Pick<Store, 'until' | 'mark' | 'clear'> {
  const { local, clock } = options
  const mirror = new Mirror(options)
  return {
    until: local.until,
    mark(name, untilMs) {
      if (untilMs <= Math.max(local.until(name), clock.now())) return
      local.mark(name, untilMs)
      void mirror.send(name, untilMs)
    },
    clear(name) {
      // Every success closes a breaker: what is not set anywhere costs no message.
      if (local.until(name) === 0) return
      local.clear(name)
      void mirror.send(name, CLEARED)
    },
  }
}

/** Keeps the local marks and those in Redis the same. */
class Mirror {
  readonly #options: RedisMarksOptions
  readonly #hash: string
  readonly #channel: string
  readonly #self = randomUUID()
  /** Not yet confirmed by Redis. */
  readonly #pending = new Map<string, number>()
  /** Received while the marks are being read, so newer than what is read. */
  readonly #received = new Set<string>()

  constructor(options: RedisMarksOptions) {
    this.#options = options
    this.#hash = `${options.link.prefix}marks`
    this.#channel = options.link.channel(TOPIC)
    const reload = () => void this.#reload()
    options.link.subscribe(TOPIC, (message) => this.#receive(message), reload)
    options.link.onUp(reload)
  }

  async send(name: string, untilMs: number): Promise<void> {
    this.#pending.set(name, untilMs)
    const message = JSON.stringify([this.#self, name, untilMs])
    const leftMs = Math.max(1, Math.ceil(untilMs - this.#options.clock.now()))
    const done = await this.#options.link.run((redis) =>
      untilMs === CLEARED
        ? redis.eval(CLEAR, 1, this.#hash, name, message, this.#channel)
        : redis.eval(MARK, 1, this.#hash, name, untilMs, leftMs, message, this.#channel),
    )
    if (done !== undefined && this.#pending.get(name) === untilMs) this.#pending.delete(name)
  }

  #receive(message: string): void {
    const { data } = change.safeParse(parseJson(message))
    if (data === undefined) return
    const [sender, name, untilMs] = data
    if (sender === this.#self) return
    this.#received.add(name)
    if (untilMs === CLEARED) this.#options.local.clear(name)
    else this.#options.local.mark(name, untilMs)
  }

  async #reload(): Promise<void> {
    const { link, clock } = this.#options
    this.#received.clear()
    const own = [...this.#pending].filter(([, untilMs]) => untilMs === CLEARED || untilMs > clock.now())
    this.#pending.clear()
    await Promise.all(own.map(([name, untilMs]) => this.send(name, untilMs)))
    const all = await link.run((redis) => redis.hgetall(this.#hash))
    if (all !== undefined) this.#adopt(all)
  }

  /** What was received or done here since is newer than what was read. */
  #adopt(all: Readonly<Record<string, string>>): void {
    const { local, clock } = this.#options
    const isNewer = (name: string) => this.#received.has(name) || this.#pending.has(name)
    for (const [name, untilMs] of Object.entries(all)) {
      if (!isNewer(name) && Number(untilMs) > clock.now()) local.mark(name, Number(untilMs))
    }
    for (const name of [...local.marks().keys()]) {
      if (!Object.hasOwn(all, name) && !isNewer(name)) local.clear(name)
    }
  }
}
