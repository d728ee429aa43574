import { describe, expect, it } from 'vitest'
import { type ErrorCode, RecapdError } from '../../../src/domain/errors.ts'
import { PROBLEMS, problemHeaders, problemOf } from '../../../src/http/plugins/problems.ts'
import { appOfFile, appOfTest } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type Reply, status } from '../../support/fake-provider.ts'
import { json, request } from '../../support/raw-http.ts'

const CODES = Object.keys(PROBLEMS) as ErrorCode[]

const served = appOfFile()

const get = (path: string, method = 'GET') => request(`${served.url}${path}`, { method })

describe('PROBLEMS', () => {
  it('has the statuses of the contract', () => {
    const statuses = Object.fromEntries(CODES.map((code) => [code, PROBLEMS[code].status]))
    expect(statuses).toEqual({
      'invalid-json': 400,
      'invalid-request': 400,
      unauthorized: 401,
      forbidden: 403,
      'not-found': 404,
      'method-not-allowed': 405,
      'request-timeout': 408,
      'compaction-in-progress': 409,
      'attempts-exhausted': 409,
      'body-too-large': 413,
      'body-too-complex': 413,
      'expectation-failed': 417,
      'unsupported-media-type': 415,
      'unknown-leaf': 422,
      'unknown-target': 422,
      'unknown-model': 422,
      'broken-tree': 422,
      'no-entries': 422,
      'nothing-fits': 422,
      'idempotency-mismatch': 422,
      'stored-elsewhere': 422,
      'models-unusable': 424,
      'upgrade-required': 426,
      'rate-limited': 429,
      'budget-exhausted': 429,
      'headers-too-large': 431,
      'client-closed': 499,
      internal: 500,
      'models-failed': 502,
      'upstream-unreachable': 502,
      overloaded: 503,
      draining: 503,
      'no-model-available': 503,
      'deadline-exceeded': 504,
    })
  })

  it.each(CODES)('%s never shows a status that agents retry where a retry cannot cure', (code) => {
    const { status: shown, retryable } = PROBLEMS[code]
    if (!retryable && code !== 'internal') expect([429, 500, 502, 503, 504]).not.toContain(shown)
  })
})

describe('a problem', () => {
  it.each(CODES)('%s has a page at its type', async (code) => {
    const page = await get(`/problems/${code}`)
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': expect.stringMatching(/^text\//) } })
    expect(page.body).toContain(code)
    expect(page.body).toContain(`HTTP ${PROBLEMS[code].status}`)
  })

  it.each([
    '/problems/no-such-code',
    '/problems/constructor',
    '/problems/',
    `/problems/${'x'.repeat(300)}`,
    '/problems/:code',
  ])('page of no code is 404: %s', async (path) => {
    expectProblem(await get(path), 404, 'not-found')
  })

  it('says its cause within the first 200 characters of the body', async () => {
    for (const answer of [await get('/nowhere'), await request(`${served.url}/summarize`, json({ prompt: '' }))]) {
      const { detail } = JSON.parse(answer.body) as { detail: string }
      expect(answer.body.slice(0, 200)).toContain(detail.slice(0, 150))
    }
  })

  it('carries what its error brings along, and nothing that is ours alone', () => {
    const error = new RecapdError('models-failed', 'Every model failed.', {
      cause: new Error('secret cause'),
      attempts: [{ model: 'alpha/small', outcome: 'timeout', durationMs: 5 }],
      retryAfterMs: 1_500,
      state: 'opaque',
    })
    const problem = problemOf(error, 'r1')
    expect(problem).toMatchObject({ retryAfterMs: 1_500, state: 'opaque', attempts: [{ outcome: 'timeout' }] })
    expect(JSON.stringify(problem)).not.toContain('secret')
  })
})

describe('problemHeaders', () => {
  it.each([
    ['rate-limited', 4_200, '5', 'Too Many Requests retry-after=5;'],
    ['overloaded', undefined, '5', 'Service Unavailable retry-after=5;'],
    ['no-model-available', 1, '1', 'Service Unavailable retry-after=1;'],
    ['draining', 0, '1', 'Service Unavailable retry-after=1;'],
  ] as const)('%s with a hint of %s ms', (code, retryAfterMs, seconds, reason) => {
    const error = new RecapdError(code, 'x', retryAfterMs === undefined ? {} : { retryAfterMs })
    expect(problemHeaders(error)).toEqual({ headers: { 'retry-after': seconds }, reason })
  })

  it('has no hint in the phrase of any other status', () => {
    for (const code of CODES.filter((each) => ![429, 503].includes(PROBLEMS[each].status)))
      expect(problemHeaders(new RecapdError(code, 'x')).reason).toBeUndefined()
  })
})

describe('404 and 405', () => {
  it.each(['/nowhere', '/jobs', '/summarize/', '/v1', '/%', '/summarize/%zz', '/problems/%E0%A4%A', '//'])(
    '404: GET %s',
    async (path) => {
      expectProblem(await get(path), 404, 'not-found')
    },
  )

  it('404 for a POST whatever its body is, which is not read', async () => {
    for (const contentType of ['application/json', 'text/plain', 'nonsense']) {
      const answer = await request(`${served.url}/nowhere`, { body: '{', headers: { 'content-type': contentType } })
      expectProblem(answer, 404, 'not-found')
    }
    const packed = await request(`${served.url}/nowhere`, {
      body: 'x',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expectProblem(packed, 404, 'not-found')
  })

  it.each([
    ['GET', '/summarize', 'POST'],
    ['PUT', '/summarize', 'POST'],
    ['DELETE', '/v1/chat/completions', 'POST'],
    ['POST', '/livez', 'GET, HEAD'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['POST', '/problems/internal', 'GET, HEAD'],
    ['OPTIONS', '/summarize', 'POST'],
  ])('405 with allow: %s %s', async (method, path, allow) => {
    const answer = await get(path, method)
    const problem = expectProblem(answer, 405, 'method-not-allowed')
    expect(answer.headers['allow']).toBe(allow)
    expect(problem.detail).toContain(allow)
  })

  it('tells no key and no query of the address', async () => {
    const answer = await get('/k/rk_private/nowhere?token=private')
    expect(answer.body).not.toContain('private')
  })
})

describe('what the models end in', () => {
  const stage = async (replies: readonly Reply[], config: Record<string, unknown> = {}) => {
    const own = await appOfTest({ script: replies, config })
    const base = await own.listen()
    let sent = 0
    const ask = (body: object = {}) => {
      sent += 1
      return request(`${base}/summarize`, json({ systemPrompt: 'S.', prompt: `P ${sent}.`, ...body }))
    }
    return { own, base, ask }
  }

  it('502 models-failed for a passing reason, with the attempts', async () => {
    const { ask } = await stage([status(500)])
    const problem = expectProblem(await ask(), 502, 'models-failed')
    expect(problem.attempts).toEqual([
      { model: 'alpha/small', outcome: 'server_error', status: 500, durationMs: expect.any(Number) },
    ])
    expect(problem.retryable).toBe(true)
  })

  it('424 models-unusable for what no retry cures', async () => {
    const { ask } = await stage([status(401)])
    expect(expectProblem(await ask(), 424, 'models-unusable')).toMatchObject({ retryable: false })
  })

  it('503 no-model-available while the breakers are open; readyz stays 200', async () => {
    const { ask, base } = await stage([status(500)], { breaker: { failureThreshold: 1, cooldownMs: 20_000 } })
    await ask()
    const answer = await ask()
    expectProblem(answer, 503, 'no-model-available')
    expect(answer.reason).toBe(`Service Unavailable retry-after=${String(answer.headers['retry-after'])};`)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(20)
    const ready = await request(`${base}/readyz`, { method: 'GET' })
    expect(ready.status).toBe(200)
    expect(JSON.parse(ready.body)).toMatchObject({ mode: 'degraded', models: [{ id: 'alpha/small', breaker: 'open' }] })
  })

  it('422 unknown-model, nothing-fits', async () => {
    const { ask, own } = await stage([{ text: 'Fine.' }])
    const problem = expectProblem(await ask({ model: 'ghost/huge' }), 422, 'unknown-model')
    expect(problem.errors).toEqual([{ path: '/model', message: 'not a configured model' }])
    expectProblem(await ask({ prompt: 'x'.repeat(700_000) }), 422, 'nothing-fits')
    expect(own.provider.requests).toEqual([])
  })

  it('carries no word of the conversation nor of the provider', async () => {
    const { ask, own } = await stage([
      status(500, {}, { error: { message: 'cannot handle violet-otter-52, sk-alpha-of-the-provider' } }),
    ])
    const answer = await ask({ prompt: 'violet-otter-52' })
    expectProblem(answer, 502, 'models-failed')
    for (const text of [answer.body, JSON.stringify(own.lines)]) expect(text).not.toMatch(/violet-otter|sk-alpha/)
  })
})

describe('500 internal', () => {
  it('tells nothing of the fault to the caller and its stack without its message to the log', async () => {
    const own = await appOfTest({
      offload: (offload) => ({
        ...offload,
        run: async () => {
          throw new TypeError('violet-otter is not iterable')
        },
      }),
    })
    const answer = await request(
      `${await own.listen()}/summarize`,
      json({ systemPrompt: 'S.', prompt: 'P.' }, { 'x-request-id': 'broke' }),
    )
    expectProblem(answer, 500, 'internal')
    const [line] = own.lines.filter(({ msg }) => msg === 'internal fault')
    expect(line).toMatchObject({
      reqId: 'broke',
      err: { type: 'TypeError', stack: expect.stringContaining('problems.test.ts') },
    })
    expect(JSON.stringify([answer, own.lines])).not.toContain('violet-otter')
  })
})
