import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { appOfTest, buildTestApp, type TestApp } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { status } from '../../support/fake-provider.ts'

let service: TestApp
beforeAll(async () => {
  service = await buildTestApp({ config: { candidates: ['alpha/small', 'alpha/big', 'recapd/extractive'] } })
})
afterAll(() => service.close())

const get = async (app: TestApp, url: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await app.app.inject({ url, headers })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body }
}

describe('GET /livez and /healthz', () => {
  it.each(['/livez', '/healthz'])('%s says that the process is alive, whatever else is', async (path) => {
    const own = await appOfTest({ readiness: { stalled: () => true } })
    own.lifecycle.state = 'refusing'
    expect(await get(own, path)).toMatchObject({ status: 200, body: '{"status":"ok"}' })
    expect(own.provider.requests).toEqual([])
  })
})

describe('HEAD', () => {
  it.each(['/livez', '/readyz', '/metrics', '/'])('%s answers as GET does, without a body', async (url) => {
    const answer = await service.app.inject({ method: 'HEAD', url })
    expect(answer).toMatchObject({ statusCode: 200, body: '' })
  })
})

describe('GET /readyz', () => {
  it('names each check, each candidate with its breaker, and the mode', async () => {
    const answer = await get(service, '/readyz')
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({
      status: 'ready',
      checks: { config: true, accepting: true, eventLoop: true, workers: true },
      mode: 'model',
      models: [
        { id: 'alpha/small', breaker: 'closed' },
        { id: 'alpha/big', breaker: 'closed' },
        { id: 'recapd/extractive', breaker: 'closed' },
      ],
    })
    expect(service.provider.requests).toEqual([])
  })

  it.each(['draining', 'refusing'] as const)('is 503 while %s, as soon as the signal has come', async (state) => {
    const own = await appOfTest()
    own.lifecycle.state = state
    const answer = await get(own, '/readyz')
    expect(answer).toMatchObject({ status: 503, headers: { connection: 'close' } })
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'not ready',
      checks: { accepting: false, eventLoop: true, workers: true },
    })
  })

  it('is 503 while the event loop is held up', async () => {
    const own = await appOfTest({ readiness: { stalled: () => true } })
    const answer = await get(own, '/readyz')
    expect(answer.status).toBe(503)
    expect(JSON.parse(answer.body)).toMatchObject({ checks: { accepting: true, eventLoop: false } })
  })

  it('stays 200 when every provider is down, and says so', async () => {
    const own = await appOfTest({
      script: [status(500)],
      config: { breaker: { failureThreshold: 1, cooldownMs: 60_000 } },
    })
    await own.app.inject({ method: 'POST', url: '/summarize', payload: { systemPrompt: 'S.', prompt: 'P.' } })
    const answer = await get(own, '/readyz')
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({
      mode: 'degraded',
      models: [{ id: 'alpha/small', breaker: 'open' }],
    })
  })

  it('is degraded where only the embedded model is configured', async () => {
    const own = await appOfTest({ config: { providers: {}, candidates: ['recapd/extractive'] } })
    expect(JSON.parse((await get(own, '/readyz')).body)).toMatchObject({ status: 'ready', mode: 'degraded' })
  })
})

describe('GET /version', () => {
  it('says what runs here', async () => {
    const answer = await get(service, '/version')
    expect(JSON.parse(answer.body)).toEqual({ name: 'recapd', version: '0.0.0-test', node: process.version })
  })
})

describe('the API description', () => {
  it('is one, as YAML and as JSON', async () => {
    const yaml = await get(service, '/openapi.yaml')
    const json = await get(service, '/openapi.json')
    expect(yaml.headers['content-type']).toMatch(/^application\/yaml/)
    // The file bears the version of the package; the service of the tests has one of its own.
    const { info, ...rest } = parse(yaml.body) as { info: object }
    expect({ info: { ...info, version: '0.0.0-test' }, ...rest }).toEqual(JSON.parse(json.body))
  })

  it('has every route of the service, and no other', async () => {
    const { paths } = JSON.parse((await get(service, '/openapi.json')).body) as { paths: Record<string, object> }
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of Object.keys(operations))
        expect(
          service.app.hasRoute({ method: method.toUpperCase(), url: path.replaceAll(/\{(\w+)\}/g, ':$1') }),
          path,
        ).toBe(true)
    }
    const answering = [
      '/summarize',
      '/v1/chat/completions',
      '/v1/models',
      '/livez',
      '/healthz',
      '/readyz',
      '/version',
      '/metrics',
      '/jobs/{id}',
      '/jobs/{id}/events',
      '/usage',
    ]
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(answering))
  })
})

describe('server.docs', () => {
  it('off: no page, no asset', async () => {
    const own = await appOfTest({ config: { server: { docs: false } } })
    expectProblem(await get(own, '/'), 404, 'not-found')
    expectProblem(await get(own, '/docs'), 404, 'not-found')
  })

  it('on: pages and their assets with their types', async () => {
    const page = await get(service, '/')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    const assets = [...page.body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(assets.length).toBeGreaterThan(0)
    for (const asset of assets) expect(await get(service, asset)).toMatchObject({ status: 200 })
  })

  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/assets/docs/main.js', 'text/javascript; charset=utf-8'],
    ['/assets/style.css', 'text/css; charset=utf-8'],
    ['/assets/icon.svg', 'image/svg+xml'],
  ])('%s: its type, a policy, and asked for again where it did not change', async (path, type) => {
    const { headers } = await get(service, path)
    expect(headers).toMatchObject({
      'content-type': type,
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^W\//),
    })
    expect(await get(service, path, { 'if-none-match': String(headers['etag']) })).toMatchObject({
      status: 304,
      body: '',
    })
  })

  it('off loopback with keys: a browser brings the key in the path, and assets need none', async () => {
    const key = 'rk_of_a_page_0123456789'
    const sha256 = createHash('sha256').update(key).digest('hex')
    const own = await appOfTest({ config: { server: { host: '192.0.2.1' }, auth: { keys: [{ name: 'p', sha256 }] } } })
    expectProblem(await get(own, '/docs'), 401, 'unauthorized')
    expect(await get(own, `/k/${key}/docs`)).toMatchObject({ status: 200 })
    expect(await get(own, '/assets/docs/main.js')).toMatchObject({ status: 200 })
  })

  it.each(['/assets/../../package.json', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/main.ts', '/web/style.css'])(
    'no file beside them is served: %s',
    async (path) => {
      expectProblem(await get(service, path), 404, 'not-found')
    },
  )
})
