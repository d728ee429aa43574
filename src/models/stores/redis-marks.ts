import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { MemoryStore } from './memory.ts'
import type { RedisLink } from './redis-link.ts'
import type { Store } from './store.ts'

export interface RedisMarksOptions {
  readonly link: RedisLink
  readonly local: MemoryStore
  readonly clock: Clock
  readonly prefix: string
}

/** Later times win on the server too; the hash goes when its last mark has passed. */
const MARK = `
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old and tonumber(old) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local left = tonumber(ARGV[3])
if redis.call('PTTL', KEYS[1]) < left then redis.call('PEXPIRE', KEYS[1], left) end
redis.call('PUBLISH', KEYS[2], ARGV[4])
return 1`

const CLEAR = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('PUBLISH', KEYS[2], ARGV[2])
return 1`

/** Who says it, the name, the time (0: cleared). */
const news = z.tuple([z.string(), z.string(), z.number()])

/**
 * Marks of all replicas, mirrored: reading never leaves this process, writing goes to Redis and, by its channel, to the
 * others. What happened while Redis was away is told when it is back.
 */
export function redisMarks({ link, local, clock, prefix }: RedisMarksOptions): Pick<Store, 'until' | 'mark' | 'clear'> {
  const hash = `${prefix}:marks`
  const channel = `${prefix}:marks-changed`
  const self = randomUUID()
  /** Not yet confirmed by Redis; 0 means cleared. */
  const pending = new Map<string, number>()
  /** Heard while the marks are being read, so newer than what is read. */
  const heard = new Set<string>()

  async function send(name: string, untilMs: number): Promise<void> {
    pending.set(name, untilMs)
    const message = JSON.stringify([self, name, untilMs])
    const leftMs = Math.max(1, Math.ceil(untilMs - clock.now()))
    const done = await link.run((redis) =>
      untilMs === 0
        ? redis.eval(CLEAR, 2, hash, channel, name, message)
        : redis.eval(MARK, 2, hash, channel, name, untilMs, leftMs, message),
    )
    if (done !== undefined && pending.get(name) === untilMs) pending.delete(name)
  }

  function hear(message: string): void {
    const { data } = news.safeParse(parsed(message))
    if (data === undefined) return
    const [sender, name, untilMs] = data
    if (sender === self) return
    heard.add(name)
    if (untilMs === 0) local.clear(name)
    else local.mark(name, untilMs)
  }

  async function reload(): Promise<void> {
    heard.clear()
    const now = clock.now()
    const own = [...pending].filter(([, untilMs]) => untilMs === 0 || untilMs > now)
    pending.clear()
    await Promise.all(own.map(([name, untilMs]) => send(name, untilMs)))
    const all = await link.run((redis) => redis.hgetall(hash))
    if (all === undefined) return
    const passed = Object.keys(all).filter((name) => Number(all[name]) <= clock.now())
    if (passed.length > 0) await link.run((redis) => redis.hdel(hash, ...passed))
    for (const [name, untilMs] of Object.entries(all)) {
      if (!heard.has(name) && !pending.has(name)) local.mark(name, Number(untilMs))
    }
    for (const name of [...local.marks().keys()]) {
      if (!Object.hasOwn(all, name) && !heard.has(name) && !pending.has(name)) local.clear(name)
    }
  }

  link.subscribe(channel, hear, () => void reload())
  link.onUp(() => void reload())
  return {
    until: local.until,
    mark(name, untilMs) {
      if (untilMs <= Math.max(local.until(name), clock.now())) return
      local.mark(name, untilMs)
      void send(name, untilMs)
    },
    clear(name) {
      // Every success closes a breaker: what is not set anywhere costs no message.
      if (local.until(name) === 0) return
      local.clear(name)
      void send(name, 0)
    },
  }
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}
