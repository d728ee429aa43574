import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfTest, type TestApp } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { json, request } from '../../support/raw-http.ts'

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')
const NAMES = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const
const body = { systemPrompt: 'S.', prompt: 'P.' }

/** Asks so many times; the statuses. */
async function statuses(times: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let index = 0; index < times; index += 1) seen.push((await ask()).status)
  return seen
}

/** inject with an address of its own, as @fastify/rate-limit sees it. */
function injector(service: TestApp) {
  return async (
    remoteAddress: string,
    path = '/summarize',
    headers: Record<string, string> = {},
    method: 'GET' | 'POST' = 'POST',
  ) => {
    const answer = await service.app.inject({
      method,
      url: path,
      remoteAddress,
      headers,
      ...(method === 'POST' ? { payload: body } : {}),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }
}

const limitedTo = (max: number, more: object = {}) =>
  appOfTest({ config: { rateLimit: { max, windowMs: 60_000 }, ...more } })

describe('the limit of an address, where nobody has a key', () => {
  it('429 beyond it, with its headers and a hint also in the reason phrase', async () => {
    const service = await limitedTo(2)
    const url = await service.listen()
    const first = await request(`${url}/summarize`, json(body))
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' })
    await request(`${url}/summarize`, json(body))
    const third = await request(`${url}/summarize`, json(body))
    const problem = expectProblem(third, 429, 'rate-limited')
    expect(problem).toMatchObject({ retryable: true, error: { type: 'rate_limit_error' } })
    const seconds = Number(third.headers['retry-after'])
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(third.reason).toBe(`Too Many Requests retry-after=${seconds};`)
    expect(third.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' })
    for (const name of NAMES) expect(third.headers[name]).toMatch(/^\d+$/)
  })

  it('is one for all endpoints together, and each address has its own', async () => {
    const ask = injector(await limitedTo(2))
    expect(await ask('192.0.2.1')).toMatchObject({ status: 200 })
    expect(await ask('192.0.2.1', '/v1/models', {}, 'GET')).toMatchObject({ status: 200 })
    expect(await ask('192.0.2.1')).toMatchObject({ status: 429 })
    expect(await ask('192.0.2.2')).toMatchObject({ status: 200 })
  })

  it('cannot be stretched by the many addresses of one IPv6 network', async () => {
    const ask = injector(await limitedTo(2))
    expect(await ask('2001:db8:1:1::1')).toMatchObject({ status: 200 })
    expect(await ask('2001:db8:1:1:abcd::2')).toMatchObject({ status: 200 })
    expect(await ask('2001:db8:1:1::3')).toMatchObject({ status: 429 })
    expect(await ask('2001:db8:1:2::1')).toMatchObject({ status: 200 })
    expect(await ask('::ffff:192.0.2.9')).toMatchObject({ status: 200 })
  })

  it('holds for unknown paths and wrong methods', async () => {
    const ask = injector(await limitedTo(2))
    expect(await ask('192.0.2.1', '/nowhere', {}, 'GET')).toMatchObject({
      status: 404,
      headers: { 'ratelimit-limit': '2' },
    })
    expect(await ask('192.0.2.1', '/summarize', {}, 'GET')).toMatchObject({ status: 405 })
    expectProblem(await ask('192.0.2.1', '/nowhere', {}, 'GET'), 429, 'rate-limited')
    expect(await ask('192.0.2.1')).toMatchObject({ status: 429 })
  })

  it('holds before a body is read', async () => {
    const service = await limitedTo(1)
    const url = await service.listen()
    await request(`${url}/summarize`, json(body))
    const answer = await request(`${url}/summarize`, { body: '{', headers: { 'content-type': 'text/plain' } })
    expectProblem(answer, 429, 'rate-limited')
  })

  it('never holds for health, version and readiness', async () => {
    const ask = injector(await limitedTo(1))
    await ask('192.0.2.1')
    for (const path of ['/livez', '/healthz', '/readyz', '/version', '/metrics', '/problems/internal']) {
      const answers = await statuses(3, () => ask('192.0.2.1', path, {}, 'GET'))
      expect(answers).toEqual([200, 200, 200])
    }
  })

  it('tells the address of the proxy from that of the client only where the proxy is trusted', async () => {
    const forwarded = (address: string) => ({ 'x-forwarded-for': address })
    const direct = injector(await limitedTo(1))
    expect(await direct('192.0.2.1', '/summarize', forwarded('198.51.100.1'))).toMatchObject({ status: 200 })
    expect(await direct('192.0.2.1', '/summarize', forwarded('198.51.100.2'))).toMatchObject({ status: 429 })
    const behind = injector(await limitedTo(1, { server: { trustProxy: true } }))
    expect(await behind('192.0.2.1', '/summarize', forwarded('198.51.100.1'))).toMatchObject({ status: 200 })
    expect(await behind('192.0.2.1', '/summarize', forwarded('198.51.100.2'))).toMatchObject({ status: 200 })
  })
})

describe('the limit of a key', () => {
  const keys = [
    { name: 'one', sha256: sha256('rk_one') },
    { name: 'two', sha256: sha256('rk_two') },
    { name: 'slow', sha256: sha256('rk_slow'), rateLimit: { max: 1, windowMs: 5_000 } },
    { name: 'fast', sha256: sha256('rk_fast'), rateLimit: { max: 50, windowMs: 5_000 } },
  ]
  const as = (key: string) => ({ 'x-api-key': key })

  it('is its own, wherever its requests come from', async () => {
    const ask = injector(await limitedTo(2, { auth: { keys } }))
    expect(await statuses(2, () => ask('192.0.2.1', '/summarize', as('rk_one')))).toEqual([200, 200])
    expect(await ask('192.0.2.2', '/summarize', as('rk_one'))).toMatchObject({ status: 429 })
    expect(await ask('192.0.2.1', '/summarize', as('rk_two'))).toMatchObject({ status: 200 })
  })

  it('may be configured apart, tighter or wider', async () => {
    const ask = injector(await limitedTo(2, { auth: { keys } }))
    expect(await statuses(2, () => ask('192.0.2.1', '/summarize', as('rk_slow')))).toEqual([200, 429])
    expect(await statuses(5, () => ask('192.0.2.1', '/summarize', as('rk_fast')))).toEqual([200, 200, 200, 200, 200])
    const answer = await ask('192.0.2.1', '/summarize', as('rk_fast'))
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '50', 'ratelimit-remaining': '44' })
  })

  it('is not used up by those who guess keys: failed auth counts against the address', async () => {
    const ask = injector(await limitedTo(2, { auth: { keys } }))
    expect(await statuses(4, () => ask('192.0.2.66', '/summarize', as('guess')))).toEqual([401, 401, 429, 429])
    expect(await ask('192.0.2.66', '/k/guess/summarize')).toMatchObject({ status: 429 })
    expect(await ask('192.0.2.66', '/k/%zz/summarize')).toMatchObject({ status: 429 })
    expect(await ask('192.0.2.66', '/summarize', as('rk_one'))).toMatchObject({ status: 200 })
  })

  it('is a key’s own even if its name is that of nobody', async () => {
    const anonymous = [{ name: 'anonymous', sha256: sha256('rk_odd') }]
    const ask = injector(await limitedTo(1, { auth: { keys: anonymous } }))
    expect(await ask('192.0.2.1', '/summarize', as('rk_odd'))).toMatchObject({ status: 200 })
    expect(await ask('192.0.2.2', '/summarize', as('rk_odd'))).toMatchObject({ status: 429 })
  })

  it('counts unknown paths against the key that asked for them', async () => {
    const ask = injector(await limitedTo(2, { auth: { keys } }))
    expect(await statuses(3, () => ask('192.0.2.1', '/nowhere', as('rk_one'), 'GET'))).toEqual([404, 404, 429])
  })
})
