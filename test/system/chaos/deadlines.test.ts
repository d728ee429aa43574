import { describe, expect, it, onTestFinished } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { type FakeProvider, fakeProvider, type Script, status } from '../../support/fake-provider.ts'
import { serviceOfTest } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { atOnce, type ClientAnswer, client } from './client.ts'

const EXTRACTIVE = 'recapd/extractive'
const FINE = [{ text: 'From beta.' }]
const HANGS = [{ hang: true }]

interface Setting {
  readonly alpha: Script
  readonly beta?: Script
  readonly lastResort?: boolean
  /** Laid over the provider alpha. */
  readonly gate?: object
  readonly config?: object
}

/** Candidates alpha, beta and, where wanted, the embedded model, in a process of their own. */
async function stage({ alpha, beta, lastResort = false, gate = {}, config = {} }: Setting) {
  const providers: Record<string, FakeProvider> = { alpha: await fakeProvider(alpha) }
  if (beta !== undefined) providers['beta'] = await fakeProvider(beta)
  for (const provider of Object.values(providers)) onTestFinished(provider.close)
  const entries = Object.entries(providers).map(([name, { url }]) => [
    name,
    {
      baseUrl: url,
      apiKeys: ['key'],
      models: { small: { contextWindow: 128_000 } },
      ...(name === 'alpha' ? gate : {}),
    },
  ])
  const service = await serviceOfTest({
    providers: Object.fromEntries(entries),
    candidates: [...Object.keys(providers).map((name) => `${name}/small`), ...(lastResort ? [EXTRACTIVE] : [])],
    rateLimit: { max: 1_000_000, windowMs: 60_000 },
    ...config,
  })
  const agent = client(service.url)
  onTestFinished(agent.close)
  let asked = 0
  const ask = (timeoutMs?: number) => {
    asked += 1
    const headers = timeoutMs === undefined ? {} : { 'x-request-timeout-ms': String(timeoutMs) }
    return agent.post('/summarize', { systemPrompt: 'S.', prompt: `What happened in case ${asked}?` }, headers)
  }
  const calls = (name: string) => providers[name]?.requests.length ?? 0
  return { ask, calls, service }
}

const once = { retry: { maxAttempts: 1 } }
const resultOf = ({ status: code, body }: ClientAnswer) => ({ code, model: JSON.parse(body).model })
const outcomesOf = ({ body }: ClientAnswer): string[] =>
  JSON.parse(body).attempts.map((row: { model: string; outcome: string }) => `${row.model} ${row.outcome}`)

describe('the best answer that can be had in time', () => {
  it('comes from the next candidate while there is time for it', async () => {
    const { ask } = await stage({
      alpha: HANGS,
      beta: FINE,
      lastResort: true,
      config: { ...once, timeouts: { attemptMs: 800 } },
    })
    const answer = await ask(8_000)
    expect(resultOf(answer)).toEqual({ code: 200, model: 'beta/small' })
    expect(outcomesOf(answer)).toEqual(['alpha/small timeout', 'beta/small ok'])
  })

  it('comes from the embedded model when no other could answer any more', async () => {
    const { ask, calls } = await stage({
      alpha: HANGS,
      beta: FINE,
      lastResort: true,
      config: { ...once, timeouts: { attemptMs: 1_200 } },
    })
    // 2.6 s, less 1.2 for alpha and the one that is kept: not enough for beta to be asked.
    const answer = await ask(2_600)
    expect(resultOf(answer)).toEqual({ code: 200, model: EXTRACTIVE })
    expect(calls('beta')).toBe(0)
  })

  it('comes from the embedded model although the first candidate would use all the time there is', async () => {
    const { ask, service } = await stage({ alpha: HANGS, lastResort: true })
    const answer = await ask(2_500)
    expect(resultOf(answer)).toEqual({ code: 200, model: EXTRACTIVE })
    expect(outcomesOf(answer)).toEqual(['alpha/small timeout', `${EXTRACTIVE} ok`])
    // With less than the kept second from the start; no clock complains of a time that has passed.
    expect(resultOf(await ask(500))).toEqual({ code: 200, model: EXTRACTIVE })
    expect(service.logs()).not.toContain('Warning')
  })

  it('is a 504 when nobody can answer any more', async () => {
    const { ask, calls } = await stage({ alpha: HANGS, beta: FINE, config: { ...once, timeouts: { attemptMs: 900 } } })
    const answer = await ask(1_500)
    const problem = expectProblem(answer, 504, 'deadline-exceeded')
    expect(problem.retryable).toBe(true)
    expect(calls('beta')).toBe(0)
  })
})

describe('the last second', () => {
  it('sees no further try of a model that fails', async () => {
    const startedAt: number[] = []
    const { ask } = await stage({
      alpha: () => {
        startedAt.push(performance.now())
        return { ...status(500), delayMs: 300 }
      },
      config: {
        retry: { maxAttempts: 100, baseDelayMs: 1, maxDelayMs: 1 },
        breaker: { failureThreshold: 1_000, cooldownMs: 1_000 },
      },
    })
    const askedAt = performance.now()
    await ask(2_500)
    // Tries follow each other every 300 ms. The last may begin 1.5 s after the request; without the rule one begins after 2.2 s.
    expect(startedAt.length).toBeGreaterThan(2)
    expect(Math.max(...startedAt) - askedAt).toBeLessThan(2_200)
  })

  it('sees no call of who waited in line for too long', async () => {
    const { ask, calls } = await stage({
      alpha: [{ text: 'Slowly.', delayMs: 2_400 }],
      gate: { maxConcurrency: 1 },
      config: once,
    })
    const first = ask()
    await waitUntil(() => calls('alpha') === 1, 'the slot is taken')
    expectProblem(await ask(2_800), 503, 'overloaded')
    expect((await first).status).toBe(200)
    expect(calls('alpha')).toBe(1)
  })
})

describe('a provider that is down', () => {
  const fast = { maxAttempts: 3, baseDelayMs: 1, maxDelayMs: 5, budgetRatio: 0.2 }

  it('gets no storm of retries: their budget runs dry and the next candidate answers', async () => {
    const { ask, calls } = await stage({
      alpha: [status(500)],
      beta: FINE,
      config: { retry: fast, breaker: { failureThreshold: 100_000, cooldownMs: 1_000 } },
    })
    const startedAt = performance.now()
    const answers = await atOnce(
      50,
      Array.from({ length: 200 }, () => () => ask()),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    for (const answer of answers) expect(resultOf(answer)).toEqual({ code: 200, model: 'beta/small' })
    // One try each, ten saved up, a fifth of the requests, three a second: not the 600 that three tries each would be.
    expect(calls('alpha')).toBeGreaterThan(200)
    expect(calls('alpha')).toBeLessThanOrEqual(200 + 10 + 0.2 * 200 + Math.ceil(3 * seconds))
    expect(calls('beta')).toBe(200)
  })

  it('costs nothing once its breaker is open: one upstream call a request', async () => {
    const { ask, calls, service } = await stage({
      alpha: [status(503)],
      beta: FINE,
      config: { retry: fast, breaker: { failureThreshold: 5, cooldownMs: 60_000 } },
    })
    while ((await service.metric('recapd_breaker_state', { model: 'alpha/small' })) !== 2) await ask()
    const before = calls('alpha') + calls('beta')
    expect(calls('alpha')).toBe(5)
    const answers = await atOnce(
      20,
      Array.from({ length: 300 }, () => () => ask()),
    )
    for (const answer of answers) expect(resultOf(answer)).toEqual({ code: 200, model: 'beta/small' })
    expect((calls('alpha') + calls('beta') - before) / 300).toBeLessThanOrEqual(1.05)
  })

  it('is not called by those who stood in line when its breaker opened', async () => {
    const { ask, calls } = await stage({
      alpha: [{ ...status(500), delayMs: 200 }],
      beta: FINE,
      gate: { maxConcurrency: 2, queue: { maxSize: 100, maxWaitMs: 20_000 } },
      config: { ...once, breaker: { failureThreshold: 2, cooldownMs: 60_000 } },
    })
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()))
    for (const answer of answers) expect(resultOf(answer)).toEqual({ code: 200, model: 'beta/small' })
    // The two whose failures opened it, and at most one more that got the first one's slot.
    expect(calls('alpha')).toBeLessThanOrEqual(3)
    expect(calls('beta')).toBe(50)
  })
})
