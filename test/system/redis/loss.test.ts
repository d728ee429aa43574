import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { redisIsInstalled } from '../../support/redis-server.ts'
import { exitCodeOf } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { ClientAnswer } from '../chaos/client.ts'
import { cacheOf, type Replica, type SharedRedis, sharedRedis, summaryOf } from './shared-redis.ts'

describe.skipIf(!redisIsInstalled)('two replicas, when the other or Redis is lost', () => {
  let shared: SharedRedis
  beforeAll(async () => {
    shared = await sharedRedis()
  })
  afterEach(() => shared.empty())
  afterAll(() => shared?.stop())

  it('make the answer themselves when the other dies in the middle', async () => {
    const { alpha, one, two } = await shared.stage((_request, index) =>
      index === 0 ? { hang: true } : { text: 'Made anew.' },
    )
    const lost = one.summarize('What was made?').catch(() => 'lost')
    await waitUntil(() => alpha.requests.length === 1, 'the first call is under way')
    const waiting = two.summarize('What was made?')
    await waitUntil(async () => (await two.service.metric('recapd_inflight_requests')) === 1, 'the second waits')
    one.service.kill('SIGKILL')
    expect(await lost).toBe('lost')
    const [lease = ''] = await shared.redis.keys('recapd:lease:making:*')
    const leftMs = await shared.redis.pttl(lease)
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(10_000)
    // Nobody renews it any more: these seconds pass here at once.
    await shared.redis.pexpire(lease, 1)
    const answer = await waiting
    expect([answer.status, summaryOf(answer), cacheOf(answer)]).toEqual([200, 'Made anew.', 'miss'])
    expect(alpha.requests).toHaveLength(2)
  })

  it('go on by themselves while Redis is dead, and together when it is back', { timeout: 40_000 }, async () => {
    const { one, two } = await shared.stage([{ text: 'Fine.', delayMs: 5 }])
    const sides = [one, two]
    const prompts = Array.from({ length: 200 }, (_, i) => `Number ${i}.`)
    const answers: Promise<ClientAnswer>[] = []
    for (const [i, prompt] of prompts.entries()) {
      answers.push((sides[i % 2] ?? one).summarize(prompt))
      if (i === 60) await shared.server.kill()
      if (i % 10 === 0) await sleep(10)
    }
    for (const answer of await Promise.all(answers)) expect([answer.status, summaryOf(answer)]).toEqual([200, 'Fine.'])
    for (const { service } of sides) {
      expect(await service.metric('recapd_redis_up')).toBe(0)
      expect(service.logs().match(/Redis is out of reach/g)).toHaveLength(1)
    }
    await shared.server.start()
    for (const { service } of sides) {
      await waitUntil(async () => (await service.metric('recapd_redis_up')) === 1, 'Redis is back')
    }
    expect(cacheOf(await one.summarize('Together again.'))).toBe('miss')
    expect(cacheOf(await two.summarize('Together again.'))).toBe('hit')
  })

  it('wait with an Idempotency-Key for a Redis that is started anew: the other knows it', {
    timeout: 40_000,
  }, async () => {
    const { alpha, one, two } = await shared.stage([{ text: 'Made once.', delayMs: 300 }], {
      redis: { url: shared.server.url, timeoutMs: 200 },
      jobs: { secret: 'the secret of jobs that wait for Redis' },
    })
    await shared.server.kill()
    const ask = ({ post }: Replica) =>
      post('/summarize', { systemPrompt: 'S.', prompt: 'What was made?' }, { 'idempotency-key': 'k-1' })
    const answers = Promise.all([one, two].map(ask))
    await shared.server.start()
    for (const answer of await answers) expect([answer.status, summaryOf(answer)]).toEqual([200, 'Made once.'])
    expect(alpha.requests).toHaveLength(1)
  })

  it('lose one command timeout, once, to a Redis that hangs', async () => {
    const { one } = await shared.stage([{ text: 'Fine.' }], { redis: { url: shared.server.url, timeoutMs: 200 } })
    shared.server.freeze()
    onTestFinished(shared.server.thaw)
    const startedAt = performance.now()
    for (let i = 0; i < 20; i += 1) expect((await one.summarize(`Number ${i}.`)).status).toBe(200)
    expect(one.service.logs().match(/Redis is out of reach/g)).toHaveLength(1)
    // Each asks Redis five times: 200 ms every time would be 20 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    shared.server.thaw()
    await waitUntil(async () => (await one.service.metric('recapd_redis_up')) === 1, 'Redis is back')
  })

  it('count nobody as present who left while Redis was being asked', async () => {
    const { one } = await shared.stage([{ text: 'Fine.' }], { redis: { url: shared.server.url, timeoutMs: 200 } })
    shared.server.freeze()
    onTestFinished(shared.server.thaw)
    // The limiter waits for Redis for 200 ms; these callers do not.
    await Promise.all(
      Array.from({ length: 5 }, (_, i) => one.summarize(`Number ${i}.`, AbortSignal.timeout(60)).catch(() => {})),
    )
    shared.server.thaw()
    await waitUntil(async () => (await one.service.metric('recapd_redis_up')) === 1, 'Redis is back')
    expect(await one.service.metric('recapd_inflight_requests')).toBe(0)
    one.service.kill('SIGTERM')
    expect(await exitCodeOf(one.service, 8_000)).toBe(0)
  })
})
