import { describe, expect, it } from 'vitest'
import type { RedisLink } from '../../../src/models/stores/redis-link.ts'
import { redisSpending } from '../../../src/models/stores/redis-spending.ts'

const clock = { now: () => Date.UTC(2026, 10, 30, 12) }

/** A Redis of hashes that may be away; what it is asked is what the script and HGETALL do. */
function redis() {
  const hashes = new Map<string, Record<string, string>>()
  const up: (() => void)[] = []
  const state = { isUp: true }
  const client = {
    eval: async (_script: string, _keys: number, key: string, _expires: number, ...values: (string | number)[]) => {
      const hash = hashes.get(key) ?? {}
      for (let at = 0; at < values.length; at += 2) {
        const field = String(values[at])
        hash[field] = String(Number(hash[field] ?? 0) + Number(values[at + 1]))
      }
      hashes.set(key, hash)
      return 1
    },
    hgetall: async (key: string) => hashes.get(key) ?? {},
  }
  const link = {
    prefix: 'recapd:',
    run: async (command: (redis: never) => Promise<unknown>) => (state.isUp ? command(client as never) : undefined),
    onUp: (listener: () => void) => up.push(listener),
  } as unknown as RedisLink
  return {
    hashes,
    link,
    setUp(isUp: boolean) {
      state.isUp = isUp
      if (isUp) for (const listener of up) listener()
    },
  }
}

describe('redisSpending', () => {
  it('counts by day and by month under the name of the key, for all replicas together', async () => {
    const { link, hashes } = redis()
    const [one, two] = [redisSpending(link, clock), redisSpending(link, clock)]
    one.add('team', { requests: 1, inputTokens: 100, costUsd: 0.1 })
    two.add('team', { requests: 1, outputTokens: 7, costUsd: 0.2, savedTokens: 50 })
    await Promise.all([one.settled(), two.settled()])
    expect([...hashes.keys()].sort()).toEqual(['recapd:usage:2026-11-30:team', 'recapd:usage:2026-11:team'])
    // Dollars do not drift: 0.1 + 0.2 is 0.3.
    for (const per of ['day', 'month'] as const)
      expect(await one.spent('team', per)).toEqual({
        requests: 2,
        inputTokens: 100,
        outputTokens: 7,
        costUsd: 0.3,
        savedTokens: 50,
      })
    expect((await one.spent('other', 'day')).requests).toBe(0)
  })

  it('counts here while Redis is away, and tells it once it is back', async () => {
    const { link, hashes, setUp } = redis()
    const spending = redisSpending(link, clock)
    setUp(false)
    spending.add('team', { requests: 1 })
    spending.add('team', { requests: 1 })
    await spending.settled()
    expect((await spending.spent('team', 'day')).requests).toBe(2)
    expect(hashes.size).toBe(0)
    setUp(true)
    await spending.settled()
    expect((await spending.spent('team', 'month')).requests).toBe(2)
    setUp(true)
    await spending.settled()
    expect((await spending.spent('team', 'month')).requests).toBe(2)
  })

  it('writes nothing where nothing was used', async () => {
    const { link, hashes } = redis()
    const spending = redisSpending(link, clock)
    spending.add('team', { costUsd: 0, inputTokens: 0 })
    await spending.settled()
    expect(hashes.size).toBe(0)
  })
})
