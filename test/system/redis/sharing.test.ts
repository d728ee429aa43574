import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { status } from '../../support/fake-provider.ts'
import { redisIsInstalled } from '../../support/redis-server.ts'
import { SessionBuilder, text } from '../../support/session-builder.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { ClientAnswer } from '../chaos/client.ts'
import { cacheOf, type Replica, type SharedRedis, sharedRedis, summaryOf } from './shared-redis.ts'

const SUMMARY = [
  '## Goal\n- lorem ipsum dolor sit amet, the first of the requests.',
  '## Constraints & Preferences\n- (none)',
  '## Progress\n### Done\n- [x] ask 0 to ask 9 were answered.\n### In Progress\n- [ ] ask 11 lorem ipsum dolor.\n### Blocked\n- (none)',
  '## Key Decisions\n- (none)',
  '## Next Steps\n1. Go on with ask 11.',
  '## Critical Context\n- Every answer was lorem ipsum dolor sit amet.',
  // And what is asked of a turn that was split.
  '## Original Request\n- Part 1 of the turn that was split.',
  '## Early Progress\n- Part 2 of the turn that was split.',
  '## Context for Suffix\n- Part 3 of the turn that was split.',
].join('\n\n')

describe.skipIf(!redisIsInstalled)('two replicas that share Redis', () => {
  let shared: SharedRedis
  beforeAll(async () => {
    shared = await sharedRedis()
  })
  afterEach(() => shared.empty())
  afterAll(() => shared?.stop())

  it('count requests of one caller together', async () => {
    const { one, two } = await shared.stage([{ text: 'Fine.' }], { rateLimit: { max: 20, windowMs: 60_000 } })
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
    const { alpha, one, two } = await shared.stage([{ text: 'Made once.' }])
    expect(cacheOf(await one.summarize('What was made?'))).toBe('miss')
    const again = await two.summarize('What was made?')
    expect([cacheOf(again), summaryOf(again)]).toEqual(['hit', 'Made once.'])
    expect(JSON.parse(again.body)).toMatchObject({ attempts: [], usage: { inputTokens: 0, costUsd: 0 } })
    expect(alpha.requests).toHaveLength(1)
  })

  it('make one call for a prompt that both are asked at once', async () => {
    const { alpha, one, two } = await shared.stage([{ text: 'Made once.', delayMs: 700 }])
    const answers = await Promise.all([one, two, one, two].map((side) => side.summarize('What was made?')))
    expect(answers.map(summaryOf)).toEqual(Array(4).fill('Made once.'))
    expect(alpha.requests).toHaveLength(1)
    expect(answers.map(cacheOf).sort()).toEqual(['coalesced', 'coalesced', 'coalesced', 'miss'])
  })

  it('rest a key for both', async () => {
    const { alpha, one, two } = await shared.stage([status(429, { 'retry-after': '600' })])
    expect(summaryOf(await one.summarize('First.'))).toBe('From beta.')
    await waitUntil(async () => (await shared.redis.hlen('recapd:marks')) === 1, 'the rest is told')
    // News come in order: who has heard this, in the name of a third replica, has heard of the rest before it.
    await shared.redis.publish(
      'recapd:0:marks-changed',
      JSON.stringify(['a third', 'breaker:beta/small', Date.now() + 60_000]),
    )
    await waitUntil(() => isOpen(two, 'beta/small'), 'the news arrive')
    const problem = expectProblem(await two.summarize('Second.'), 503, 'no-model-available')
    expect(problem.attempts?.map(({ outcome }) => outcome)).toEqual(['key_resting', 'breaker_open'])
    expect(alpha.requests).toHaveLength(1)
  })

  it('open a breaker for both', async () => {
    const { alpha, one, two } = await shared.stage([status(500)], {
      breaker: { failureThreshold: 2, cooldownMs: 60_000 },
    })
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
    const { alpha, one, two } = await shared.stage([{ text: SUMMARY, delayMs: 1_000 }])
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
    const [lease = ''] = await shared.redis.keys('recapd:lease:session:*')
    // Renewed, so that a session is not locked for minutes when its replica dies.
    expect(await shared.redis.pttl(lease)).toBeGreaterThan(0)
    expect(await shared.redis.pttl(lease)).toBeLessThanOrEqual(10_000)
    expect((await first).status).toBe(200)
    const third = await two.post('/compact', { ...body, customInstructions: 'Not the same request.' })
    expect(third.status).toBe(200)
  })

  it('leave nothing in Redis but hashes, counters, times and summaries', async () => {
    const secret = 'the-harbour-password-is-herring'
    const { one, two, alpha } = await shared.stage((_request, index) =>
      index === 0 ? status(429, { 'retry-after': '600' }) : { text: 'Nobody said it.', delayMs: 300 },
    )
    await Promise.all([one, two].map((side) => side.summarize(`What is it? ${secret}`)))
    const held = JSON.stringify(await everythingIn(shared.redis))
    expect(held).toContain('From beta.')
    expect(held).not.toContain(secret)
    expect(held).not.toContain('You summarise')
    expect(held).not.toContain('sk-of-alpha')
    expect(held).not.toContain('127.0.0.1')
    expect(alpha.requests.length).toBeGreaterThan(0)
    for (const key of await shared.redis.keys('*')) {
      expect(key).toMatch(
        /^recapd:(answer:[\w-]{20,}|rate:[\w-]{43}|marks|probe|usage:\d{4}-\d\d(?:-\d\d)?:[\w.-]+|lease:making:answer:[\w-]{20,})$/,
      )
      expect(await shared.redis.pttl(key)).toBeGreaterThan(0)
    }
  })
})

/** As the replica sees it, without asking the model. */
async function isOpen({ service }: Replica, id: string): Promise<boolean> {
  const { models } = (await (await fetch(`${service.url}/readyz`)).json()) as {
    models: readonly { readonly id: string; readonly breaker: string }[]
  }
  return models.some((model) => model.id === id && model.breaker === 'open')
}

/** Every key with its value, whatever its type. */
async function everythingIn(redis: Redis): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const key of await redis.keys('*')) {
    all[key] = (await redis.type(key)) === 'hash' ? await redis.hgetall(key) : await redis.get(key)
  }
  return all
}
