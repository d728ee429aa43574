import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ClientAnswer, client } from '../chaos/client.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { type FakeProvider, fakeProvider, type Script, status } from '../support/fake-provider.ts'
import { type RedisServer, redisIsInstalled, redisServer } from '../support/redis-server.ts'
import { exitCodeOf, type ServiceProcess, serviceOfTest } from '../support/service-process.ts'
import { SessionBuilder, text } from '../support/session-builder.ts'
import { waitUntil } from '../support/wait-until.ts'

interface Replica {
  readonly service: ServiceProcess
  summarize(prompt: string, signal?: AbortSignal): Promise<ClientAnswer>
  post(path: string, body: unknown): Promise<ClientAnswer>
}

const summaryOf = ({ body }: ClientAnswer): string => JSON.parse(body).summary
/** As the replica sees it, without asking the model. */
async function isOpen({ service }: Replica, id: string): Promise<boolean> {
  const { models } = (await (await fetch(`${service.url}/readyz`)).json()) as {
    models: readonly { readonly id: string; readonly breaker: string }[]
  }
  return models.some((model) => model.id === id && model.breaker === 'open')
}
const cacheOf = ({ headers }: ClientAnswer) => headers['x-recapd-cache']

// A replica takes a Redis that is silent for 200 ms for dead and goes on alone, as it should. A machine with too much else to
// do can cause that; what is wrong in earnest is wrong three times.
describe.skipIf(!redisIsInstalled)('two replicas that share Redis', { retry: 2 }, () => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await redisServer()
    redis = new Redis(server.url)
    redis.on('error', () => {})
  })
  afterEach(async () => {
    await waitUntil(() => redis.status === 'ready', 'Redis is reachable')
    await redis.flushall()
  })
  afterAll(async () => {
    redis?.disconnect()
    await server?.stop()
  })

  async function replica(providers: Readonly<Record<string, FakeProvider>>, more: object): Promise<Replica> {
    const entries = Object.entries(providers).map(([name, { url }]) => [
      name,
      {
        baseUrl: url,
        apiKeys: [`sk-of-${name}`],
        models: { small: { contextWindow: 128_000, maxOutputTokens: 4_000 } },
      },
    ])
    const service = await serviceOfTest({
      providers: Object.fromEntries(entries),
      candidates: Object.keys(providers).map((name) => `${name}/small`),
      retry: { maxAttempts: 1, maxDelayMs: 1_000 },
      rateLimit: { max: 1_000_000, windowMs: 60_000 },
      redis: { url: server.url },
      ...more,
    })
    await waitUntil(async () => (await service.metric('recapd_redis_up')) === 1, 'the replica has Redis')
    const agent = client(service.url)
    onTestFinished(agent.close)
    return {
      service,
      post: agent.post,
      summarize: (prompt, signal) => agent.post('/summarize', { systemPrompt: 'You summarise.', prompt }, {}, signal),
    }
  }

  /** Both, in front of the same providers; `alpha` plays the script, `beta` stands behind it. */
  async function stage(script: Script, more: object = {}) {
    const alpha = await fakeProvider(script)
    const beta = await fakeProvider([{ text: 'From beta.' }])
    onTestFinished(async () => {
      await Promise.all([alpha.close(), beta.close()])
    })
    const [one, two] = await Promise.all([replica({ alpha, beta }, more), replica({ alpha, beta }, more)])
    await waitUntil(
      async () => Number((await redis.pubsub('NUMSUB', 'recapd:marks-changed'))[1]) === 2,
      'both hear of marks',
    )
    return { alpha, beta, one, two }
  }

  it('count requests of one caller together', async () => {
    const { one, two } = await stage([{ text: 'Fine.' }], { rateLimit: { max: 20, windowMs: 60_000 } })
    const answers: ClientAnswer[] = []
    for (let i = 0; answers.at(-1)?.status !== 429 && i <= 20; i += 1) {
      answers.push(await (i % 2 === 0 ? one : two).summarize(`Number ${i}.`))
    }
    // What was left is one less each time, whoever was asked; the start-up of the test has used some as well.
    const left = answers.slice(0, -1).map(({ headers }) => Number(headers['ratelimit-remaining']))
    expect(left.length).toBeGreaterThan(4)
    expect(left).toEqual(left.map((_, i) => left.length - 1 - i))
    for (const side of [one, two]) {
      const refused = await side.summarize('One more.')
      expectProblem(refused, 429, 'rate-limited')
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  })

  it('give the answer that the other has made', async () => {
    const { alpha, one, two } = await stage([{ text: 'Made once.' }])
    expect(cacheOf(await one.summarize('What was made?'))).toBe('miss')
    const again = await two.summarize('What was made?')
    expect([cacheOf(again), summaryOf(again)]).toEqual(['hit', 'Made once.'])
    expect(JSON.parse(again.body)).toMatchObject({ attempts: [], usage: { inputTokens: 0, costUsd: 0 } })
    expect(alpha.requests).toHaveLength(1)
  })

  it('make one call for a prompt that both are asked at once', async () => {
    const { alpha, one, two } = await stage([{ text: 'Made once.', delayMs: 700 }])
    const answers = await Promise.all([one, two, one, two].map((side) => side.summarize('What was made?')))
    expect(answers.map(summaryOf)).toEqual(Array(4).fill('Made once.'))
    expect(alpha.requests).toHaveLength(1)
    expect(answers.map(cacheOf).sort()).toEqual(['coalesced', 'coalesced', 'coalesced', 'miss'])
  })

  it('rest a key for both', async () => {
    const { alpha, one, two } = await stage([status(429, { 'retry-after': '600' })])
    expect(summaryOf(await one.summarize('First.'))).toBe('From beta.')
    await waitUntil(async () => (await redis.hlen('recapd:marks')) === 1, 'the rest is told')
    // News come in order: who has heard this, in the name of a third replica, has heard of the rest before it.
    await redis.publish('recapd:marks-changed', JSON.stringify(['a third', 'breaker:beta/small', Date.now() + 60_000]))
    await waitUntil(() => isOpen(two, 'beta/small'), 'the news arrive')
    const problem = expectProblem(await two.summarize('Second.'), 503, 'no-model-available')
    expect(problem.attempts?.map(({ outcome }) => outcome)).toEqual(['key_resting', 'breaker_open'])
    expect(alpha.requests).toHaveLength(1)
  })

  it('open a breaker for both', async () => {
    const { alpha, one, two } = await stage([status(500)], { breaker: { failureThreshold: 2, cooldownMs: 60_000 } })
    await one.summarize('First.')
    await one.summarize('Second.')
    await waitUntil(() => isOpen(two, 'alpha/small'), 'the news arrive')
    const answer = await two.summarize('Third.')
    expect(JSON.parse(answer.body)).toMatchObject({
      summary: 'From beta.',
      attempts: [{ model: 'alpha/small', outcome: 'breaker_open' }, { model: 'beta/small' }],
    })
    expect(alpha.requests).toHaveLength(2)
    expect(await two.service.metric('recapd_breaker_state', { model: 'alpha/small' })).toBe(2)
  })

  it('compact a session in one place at a time', async () => {
    const { alpha, one, two } = await stage([{ text: '## Goal\nGo on.', delayMs: 1_000 }])
    const session = new SessionBuilder()
    for (let i = 0; i < 12; i += 1) {
      session.user(text(400, `ask ${i}`))
      session.assistant(text(400, `answer ${i}`))
    }
    const body = {
      entries: session.rows,
      sessionId: 'shared',
      settings: { keepRecentTokens: 500 },
      shortSummary: false,
    }
    const first = one.post('/compact', body)
    await waitUntil(() => alpha.requests.length > 0, 'the first pass is under way')
    const second = await two.post('/compact', { ...body, customInstructions: 'Not the same request.' })
    expectProblem(second, 409, 'compaction-in-progress')
    const [lease = ''] = await redis.keys('recapd:lease:session:*')
    // Renewed, so that a session is not locked for minutes when its replica dies.
    expect(await redis.pttl(lease)).toBeGreaterThan(0)
    expect(await redis.pttl(lease)).toBeLessThanOrEqual(10_000)
    expect((await first).status).toBe(200)
    const third = await two.post('/compact', { ...body, customInstructions: 'Not the same request.' })
    expect(third.status).toBe(200)
  })

  it('make the answer themselves when the other dies in the middle', async () => {
    const { alpha, one, two } = await stage((_request, index) =>
      index === 0 ? { hang: true } : { text: 'Made anew.' },
    )
    const lost = one.summarize('What was made?').catch(() => 'lost')
    await waitUntil(() => alpha.requests.length === 1, 'the first call is under way')
    const waiting = two.summarize('What was made?')
    await waitUntil(async () => (await two.service.metric('recapd_inflight_requests')) === 1, 'the second waits')
    one.service.kill('SIGKILL')
    expect(await lost).toBe('lost')
    const [lease = ''] = await redis.keys('recapd:lease:making:*')
    const leftMs = await redis.pttl(lease)
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(10_000)
    // Nobody renews it any more: these seconds pass here at once.
    await redis.pexpire(lease, 1)
    const answer = await waiting
    expect([answer.status, summaryOf(answer), cacheOf(answer)]).toEqual([200, 'Made anew.', 'miss'])
    expect(alpha.requests).toHaveLength(2)
  })

  it('go on by themselves while Redis is dead, and together when it is back', { timeout: 40_000 }, async () => {
    const { one, two } = await stage([{ text: 'Fine.', delayMs: 5 }])
    const sides = [one, two]
    const prompts = Array.from({ length: 200 }, (_, i) => `Number ${i}.`)
    const answers: Promise<ClientAnswer>[] = []
    for (const [i, prompt] of prompts.entries()) {
      answers.push((sides[i % 2] ?? one).summarize(prompt))
      if (i === 60) await server.kill()
      if (i % 10 === 0) await sleep(10)
    }
    for (const answer of await Promise.all(answers)) expect([answer.status, summaryOf(answer)]).toEqual([200, 'Fine.'])
    for (const { service } of sides) {
      expect(await service.metric('recapd_redis_up')).toBe(0)
      expect(service.logs().match(/Redis is out of reach/g)).toHaveLength(1)
    }
    await server.start()
    for (const { service } of sides) {
      await waitUntil(async () => (await service.metric('recapd_redis_up')) === 1, 'Redis is back')
    }
    expect(cacheOf(await one.summarize('Together again.'))).toBe('miss')
    expect(cacheOf(await two.summarize('Together again.'))).toBe('hit')
  })

  it('lose one command timeout, once, to a Redis that hangs', async () => {
    const { one } = await stage([{ text: 'Fine.' }])
    server.freeze()
    onTestFinished(server.thaw)
    const startedAt = performance.now()
    for (let i = 0; i < 20; i += 1) expect((await one.summarize(`Number ${i}.`)).status).toBe(200)
    expect(one.service.logs().match(/Redis is out of reach/g)).toHaveLength(1)
    // Each asks Redis five times: 200 ms every time would be 20 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    server.thaw()
    await waitUntil(async () => (await one.service.metric('recapd_redis_up')) === 1, 'Redis is back')
  })

  it('count nobody as present who left while Redis was being asked', async () => {
    const { one } = await stage([{ text: 'Fine.' }])
    server.freeze()
    onTestFinished(server.thaw)
    // The limiter waits for Redis for 200 ms; these callers do not.
    await Promise.all(
      Array.from({ length: 5 }, (_, i) => one.summarize(`Number ${i}.`, AbortSignal.timeout(60)).catch(() => {})),
    )
    server.thaw()
    await waitUntil(async () => (await one.service.metric('recapd_redis_up')) === 1, 'Redis is back')
    expect(await one.service.metric('recapd_inflight_requests')).toBe(0)
    one.service.kill('SIGTERM')
    expect(await exitCodeOf(one.service, 8_000)).toBe(0)
  })

  it('leave nothing in Redis but hashes, counters, times and summaries', async () => {
    const secret = 'the-harbour-password-is-herring'
    const { one, two, alpha } = await stage((_request, index) =>
      index === 0 ? status(429, { 'retry-after': '600' }) : { text: 'Nobody said it.', delayMs: 300 },
    )
    await Promise.all([one, two].map((side) => side.summarize(`What is it? ${secret}`)))
    const held = JSON.stringify(await everythingIn(redis))
    expect(held).toContain('From beta.')
    expect(held).not.toContain(secret)
    expect(held).not.toContain('You summarise')
    expect(held).not.toContain('sk-of-alpha')
    expect(held).not.toContain('127.0.0.1')
    expect(alpha.requests.length).toBeGreaterThan(0)
    for (const key of await redis.keys('*')) {
      expect(key).toMatch(/^recapd:(answer:[\w-]{20,}|rate:[\w-]{43}|marks|lease:making:answer:[\w-]{20,})$/)
      expect(await redis.pttl(key)).toBeGreaterThan(0)
    }
  })
})

/** Every key with its value, whatever its type. */
async function everythingIn(redis: Redis): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const key of await redis.keys('*')) {
    all[key] = (await redis.type(key)) === 'hash' ? await redis.hgetall(key) : await redis.get(key)
  }
  return all
}
