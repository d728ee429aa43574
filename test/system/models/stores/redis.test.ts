import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../src/models/clock.ts'
import { type RedisStore, redisStore } from '../../../../src/models/stores/redis.ts'
import { redisLink } from '../../../../src/models/stores/redis-link.ts'
import { createSealer, type Sealer } from '../../../../src/models/stores/sealer.ts'
import type { Lease } from '../../../../src/models/stores/store.ts'
import { type RedisServer, redisIsInstalled, redisServer, until } from '../../../support/redis-server.ts'

interface ReplicaOptions {
  readonly url?: string
  readonly prefix?: string
  readonly sealer?: Sealer | undefined
}

describe.skipIf(!redisIsInstalled)('redisStore', () => {
  let server: RedisServer
  const replicas: { store: RedisStore }[] = []

  function replica({ url = server.url, prefix = 'recapd:', sealer }: ReplicaOptions = {}) {
    const warnings: string[] = []
    const ups: boolean[] = []
    const link = redisLink({
      url,
      prefix,
      cluster: false,
      timeoutMs: 200,
      clock: systemClock,
      observer: { redisUp: (up) => void ups.push(up) },
      warn: (message) => void warnings.push(message),
    })
    const store = redisStore({ link, clock: systemClock, maxBytes: 1_000_000, sealer })
    const made = { link, store, warnings, ups, isUp: () => ups.at(-1) === true }
    replicas.push(made)
    return made
  }
  async function upReplica(options: ReplicaOptions = {}) {
    const made = replica(options)
    await until(made.isUp, 'the replica has Redis')
    return made
  }
  async function outside<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(server.url)
    try {
      return await work(redis)
    } finally {
      redis.disconnect()
    }
  }
  function held(lease: Lease | 'taken'): Lease {
    if (lease === 'taken') throw new Error('The lease was refused')
    return lease
  }
  const farAhead = () => Date.now() + 3_600_000

  beforeAll(async () => {
    server = await redisServer()
  })
  afterEach(async () => {
    for (const { store } of replicas.splice(0)) await store.close()
    await outside((redis) => redis.flushall())
  })
  afterAll(() => server?.stop())

  it('shows a mark of one replica to the others, and its end', async () => {
    const [one, two] = [await upReplica(), await upReplica()]
    await until(
      () => outside(async (redis) => Number((await redis.pubsub('NUMSUB', 'recapd:0:marks-changed'))[1]) === 2),
      'both listen',
    )
    const at = farAhead()
    one.store.mark('key:a', at)
    expect(one.store.until('key:a')).toBe(at)
    await until(() => two.store.until('key:a') === at, 'the mark arrives')
    two.store.mark('key:a', at - 1_000)
    one.store.mark('key:a', at + 5)
    await until(() => two.store.until('key:a') === at + 5, 'the later mark arrives')
    two.store.clear('key:a')
    await until(() => one.store.until('key:a') === 0, 'its end arrives')
  })

  it('tells a new replica the marks there are, but not those that have passed', async () => {
    const one = await upReplica()
    const at = farAhead()
    one.store.mark('breaker:a', at)
    await until(() => outside(async (redis) => (await redis.hlen('recapd:marks')) === 1), 'the mark is stored')
    await outside((redis) => redis.hset('recapd:marks', 'breaker:old', Date.now() - 1_000))
    const two = await upReplica()
    await until(() => two.store.until('breaker:a') === at, 'the mark is read')
    expect(two.store.until('breaker:old')).toBe(0)
    expect(await outside((redis) => redis.pttl('recapd:marks'))).toBeGreaterThan(0)
  })

  it('keeps values for all replicas, for their time only', async () => {
    const [one, two] = [await upReplica(), await upReplica()]
    await one.store.set('answer:x', 'A summary.', 60_000)
    expect(await two.store.get('answer:x')).toBe('A summary.')
    expect(await outside((redis) => redis.pttl('recapd:answer:x'))).toBeGreaterThan(0)
    expect(await two.store.get('answer:y')).toBeUndefined()
  })

  it('gives a lease to one replica, renews it, and releases only its own', async () => {
    const [one, two] = [await upReplica(), await upReplica()]
    const lease = held(await one.store.lease('session:s', 300))
    expect(await one.store.lease('session:s', 300)).toBe('taken')
    expect(await two.store.lease('session:s', 300)).toBe('taken')
    const tokenBefore = await outside((redis) => redis.get('recapd:lease:session:s'))
    // Longer than its time: it is there only because it is renewed.
    let renewals = 0
    let last = 300
    await until(async () => {
      const left = await outside((redis) => redis.pttl('recapd:lease:session:s'))
      if (left > last) renewals += 1
      last = left
      return renewals >= 2
    }, 'the lease is renewed')
    expect(await outside((redis) => redis.get('recapd:lease:session:s'))).toBe(tokenBefore)
    await lease.release()
    const second = held(await two.store.lease('session:s', 60_000))
    await lease.release()
    expect(await one.store.lease('session:s', 300)).toBe('taken')
    await second.release()
    held(await one.store.lease('session:s', 300))
  })

  it('hides values under a sealer, opens them with an older secret and takes a foreign one for a miss', async () => {
    const one = await upReplica({ sealer: createSealer(['the-first-secret-of-two']) })
    await one.store.set('answer:x', 'The parser moved.', 60_000)
    const raw = await outside((redis) => redis.get('recapd:answer:x'))
    expect(raw).not.toContain('parser')
    const rotated = await upReplica({ sealer: createSealer(['a-newer-secret-of-two', 'the-first-secret-of-two']) })
    expect(await rotated.store.get('answer:x')).toBe('The parser moved.')
    const stranger = await upReplica({ sealer: createSealer(['somebody-elses-secret']) })
    expect(await stranger.store.get('answer:x')).toBeUndefined()
    await outside((redis) => redis.copy('recapd:answer:x', 'recapd:answer:y'))
    expect(await rotated.store.get('answer:y')).toBeUndefined()
  })

  it('keeps prefixes and databases apart, keys and channels', async () => {
    const [one, other, elsewhere] = [
      await upReplica(),
      await upReplica({ prefix: 'blue:' }),
      await upReplica({ url: `${server.url}/3` }),
    ]
    await one.store.set('answer:x', 'Mine.', 60_000)
    one.store.mark('breaker:m', farAhead())
    await until(() => outside(async (redis) => (await redis.hlen('recapd:marks')) === 1), 'the mark is stored')
    expect([await other.store.get('answer:x'), await elsewhere.store.get('answer:x')]).toEqual([undefined, undefined])
    expect([one, other, elsewhere].map(({ link }) => link.channel('news'))).toEqual([
      'recapd:0:news',
      'blue:0:news',
      'recapd:3:news',
    ])
    expect([other.store.until('breaker:m'), elsewhere.store.until('breaker:m')]).toEqual([0, 0])
  })

  it('counts for all replicas in one window', async () => {
    const [one, two] = [await upReplica(), await upReplica()]
    expect((await one.store.increment('k', 60_000))?.current).toBe(1)
    const second = await two.store.increment('k', 60_000)
    expect(second?.current).toBe(2)
    expect(second?.ttl).toBeGreaterThan(0)
    expect(second?.ttl).toBeLessThanOrEqual(60_000)
    await outside((redis) => redis.persist('recapd:rate:k'))
    expect((await one.store.increment('k', 60_000))?.ttl).toBeGreaterThan(0)
  })

  it('goes on by itself when Redis is killed, and tells it what happened when it is back', async () => {
    const one = await upReplica()
    await one.store.set('answer:x', 'Kept here too.', 60_000)
    const before = farAhead()
    one.store.mark('before', before)
    await until(() => outside(async (redis) => (await redis.hlen('recapd:marks')) === 1), 'the mark is stored')
    await server.kill()
    await until(() => !one.isUp(), 'the loss is noticed')
    one.store.mark('meanwhile', before)
    one.store.clear('before')
    expect(one.store.until('meanwhile')).toBe(before)
    expect(await one.store.get('answer:x')).toBe('Kept here too.')
    expect(await one.store.increment('k', 1_000)).toBeUndefined()
    const lease = held(await one.store.lease('session:s', 60_000))
    expect(await one.store.lease('session:s', 60_000)).toBe('taken')
    await lease.release()
    held(await one.store.lease('session:s', 60_000))
    expect(one.warnings).toHaveLength(1)
    expect(one.warnings[0]).not.toContain('127.0.0.1')

    await server.start()
    await until(one.isUp, 'Redis is back')
    await until(
      () => outside(async (redis) => (await redis.hget('recapd:marks', 'meanwhile')) !== null),
      'the mark is told',
    )
    expect(await outside((redis) => redis.hget('recapd:marks', 'before'))).toBeNull()
    const two = await upReplica()
    await until(() => two.store.until('meanwhile') === before, 'another replica knows')
  })

  it('spends one command timeout on a Redis that hangs, and none after it', async () => {
    const one = await upReplica()
    await one.store.set('answer:x', 'A summary.', 60_000)
    server.freeze()
    try {
      expect(await one.store.get('answer:other')).toBeUndefined()
      expect(one.isUp()).toBe(false)
      // Known to be away: these do not wait at all, or a thousand of them would take minutes.
      for (let i = 0; i < 1_000; i += 1) expect(await one.store.get(`answer:${i}`)).toBeUndefined()
      expect(await one.store.get('answer:x')).toBe('A summary.')
    } finally {
      server.thaw()
    }
    await until(one.isUp, 'Redis is back')
  })

  it('starts without Redis', async () => {
    const lonely = replica({ url: 'redis://user:secret-7@127.0.0.1:1' })
    held(await lonely.store.lease('session:s', 1_000))
    await lonely.store.set('answer:x', 'Here.', 1_000)
    expect(await lonely.store.get('answer:x')).toBe('Here.')
    await until(() => lonely.warnings.length === 1, 'the operator is told')
    expect(lonely.warnings.join()).not.toContain('secret-7')
    expect(lonely.ups).toEqual([false])
  })

  it('takes a refused command for an answer: the connection stays up', async () => {
    const one = await upReplica()
    await outside((redis) => redis.lpush('recapd:answer:list', 'x'))
    expect(await one.store.get('answer:list')).toBeUndefined()
    expect(one.isUp()).toBe(true)
    expect(one.warnings).toHaveLength(1)
  })
})
