import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { type RateLimitStoreOptions, rateLimitStore } from '../../../../src/http/plugins/rate-limit-store.ts'
import { systemClock } from '../../../../src/models/clock.ts'
import { redisStore } from '../../../../src/models/stores/redis.ts'
import { redisLink } from '../../../../src/models/stores/redis-link.ts'
import { redisIsInstalled, redisServer, until } from '../../../support/redis-server.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

function counting(options: Partial<RateLimitStoreOptions> = {}) {
  const clock = virtualClock()
  const Store = rateLimitStore({ clock, ...options })
  const store = new Store({})
  const count = (key: string, windowMs = 1_000, from = store) =>
    new Promise((resolve, reject) =>
      from.incr(key, (error, result) => (error === null ? resolve(result) : reject(error)), windowMs, 3),
    )
  return { clock, store, count }
}
const routeOf = (method: string, url: string) => ({ method, url, path: url, prefix: '', handler: () => {} })

/** A service with a limit of its own for each key, as auth sets them. */
async function limited(options: RateLimitStoreOptions) {
  const app = fastify()
  await app.register(rateLimit, {
    enableDraftSpec: true,
    store: rateLimitStore(options),
    keyGenerator: (request) => String(request.headers['x-api-key']),
    max: (_request, key) => (key === 'small' ? 2 : 4),
    timeWindow: 60_000,
  })
  app.get('/', async () => 'fine')
  app.get('/own', { config: { rateLimit: { max: 1 } } }, async () => 'fine')
  return async (key: string, url = '/') => (await app.inject({ url, headers: { 'x-api-key': key } })).statusCode
}

describe('rateLimitStore', () => {
  it('counts each key in its own window and starts anew after it', async () => {
    const { clock, count } = counting()
    expect(await count('a')).toEqual({ current: 1, ttl: 1_000 })
    await clock.advance(400)
    expect(await count('a')).toEqual({ current: 2, ttl: 600 })
    expect(await count('b', 5_000)).toEqual({ current: 1, ttl: 5_000 })
    await clock.advance(600)
    expect(await count('a')).toEqual({ current: 1, ttl: 1_000 })
    expect(await count('b', 5_000)).toEqual({ current: 2, ttl: 4_400 })
  })

  it('counts routes with limits of their own apart', async () => {
    const { store, count } = counting()
    const child = store.child(routeOf('GET', '/own'))
    await count('a')
    expect(await count('a', 1_000, child)).toMatchObject({ current: 1 })
  })

  it('lets go of who was silent longest', async () => {
    const { count } = counting()
    await count('first')
    for (let i = 0; i < 10_000; i += 1) await count(`other-${i}`)
    expect(await count('first')).toMatchObject({ current: 1 })
    expect(await count('other-9999')).toMatchObject({ current: 2 })
  })

  it('takes the count of all replicas where there is one, under a name that tells nothing', async () => {
    const names: string[] = []
    const { count } = counting({
      shared: async (name) => {
        names.push(name)
        return names.length === 1 ? { current: 7, ttl: 9 } : undefined
      },
    })
    expect(await count('10.1.2.3')).toEqual({ current: 7, ttl: 9 })
    expect(await count('10.1.2.3')).toMatchObject({ current: 1 })
    expect(names[0]).toBe(names[1])
    expect(names.join()).not.toContain('10.1.2.3')
  })

  it('limits as the plugin asks: per key, per route', async () => {
    const send = await limited({ clock: virtualClock() })
    expect([await send('small'), await send('small'), await send('small')]).toEqual([200, 200, 429])
    expect(await send('large')).toBe(200)
    expect([await send('small', '/own'), await send('small', '/own')]).toEqual([200, 429])
  })

  it.skipIf(!redisIsInstalled)('shares the limit over replicas, and limits by itself once Redis is gone', async () => {
    const server = await redisServer()
    const ups: boolean[] = []
    const stores = [0, 1].map((i) =>
      redisStore({
        link: redisLink({
          url: server.url,
          prefix: 'recapd:',
          cluster: false,
          timeoutMs: 200,
          clock: systemClock,
          observer: { redisUp: (up) => (ups[i] = up) },
          warn: () => {},
        }),
        clock: systemClock,
        maxBytes: 0,
      }),
    )
    try {
      await until(() => ups[0] === true && ups[1] === true, 'both have Redis')
      const [one, two] = await Promise.all(
        stores.map((store) => limited({ clock: systemClock, shared: store.increment })),
      )
      expect([await one?.('small'), await two?.('small'), await one?.('small'), await two?.('small')]).toEqual([
        200, 200, 429, 429,
      ])
      await server.kill()
      await until(() => ups[0] === false, 'the loss is noticed')
      expect([await one?.('small'), await one?.('small'), await one?.('small')]).toEqual([200, 200, 429])
    } finally {
      for (const store of stores) await store.close()
      await server.stop()
    }
  })
})
