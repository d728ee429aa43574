import { createHash } from 'node:crypto'
import http from 'node:http'
import { describe, expect, it } from 'vitest'
import { appOfFile, appOfTest } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { json, request } from '../../support/raw-http.ts'

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')
const ALL = 'rk_all_of_it_77/+='
const NARROW = 'rk_narrow_51'

const served = appOfFile({
  config: {
    auth: {
      keys: [
        { name: 'all', sha256: sha256(ALL) },
        { name: 'upper-case-digest', sha256: sha256('rk_upper').toUpperCase() },
        { name: 'narrow', sha256: sha256(NARROW), models: ['alpha/b*'], endpoints: ['/summarize', '/v1/*'] },
        { name: 'nothing-fits', sha256: sha256('rk_none'), models: ['gamma/*'] },
      ],
    },
  },
})

let sent = 0
const prompt = () => {
  sent += 1
  return { systemPrompt: 'S.', prompt: `Auth ${sent}.` }
}
const summarize = (headers: Record<string, string> = {}, path = '/summarize', body: object = prompt()) =>
  request(`${served.url}${path}`, json(body, headers))
const lastCaller = () => served.service.lines.findLast(({ msg }) => msg === 'request')?.['caller']
const byPath = (key: string) => `/k/${encodeURIComponent(key)}/summarize`

describe('a key', () => {
  it.each([
    ['x-api-key', { 'x-api-key': ALL }, '/summarize'],
    ['bearer', { authorization: `Bearer ${ALL}` }, '/summarize'],
    ['bearer in small letters', { authorization: `bearer ${ALL}` }, '/summarize'],
    ['path', {}, byPath(ALL)],
  ])('opens the service as %s', async (_carrier, headers, path) => {
    expect(await summarize(headers, path)).toMatchObject({ status: 200 })
    expect(lastCaller()).toBe('all')
  })

  it('matches a digest written in capitals', async () => {
    expect(await summarize({ 'x-api-key': 'rk_upper' })).toMatchObject({ status: 200 })
  })

  it('in the path comes before x-api-key, and that before the bearer', async () => {
    await summarize({ 'x-api-key': ALL, authorization: `Bearer ${ALL}` }, byPath('rk_upper'))
    expect(lastCaller()).toBe('upper-case-digest')
    await summarize({ 'x-api-key': 'rk_upper', authorization: `Bearer ${ALL}` })
    expect(lastCaller()).toBe('upper-case-digest')
  })

  it('that is valid decides, whatever the carriers before it hold', async () => {
    expect(await summarize({ 'x-api-key': 'wrong', authorization: `Bearer ${ALL}` }, byPath('wrong'))).toMatchObject({
      status: 200,
    })
    expect(await summarize({ 'x-api-key': ALL, authorization: 'Basic dTpw' })).toMatchObject({ status: 200 })
  })

  it.each([
    ['missing', {}, '/summarize'],
    ['wrong as x-api-key', { 'x-api-key': 'wrong' }, '/summarize'],
    ['wrong as bearer', { authorization: 'Bearer wrong' }, '/summarize'],
    ['in another scheme', { authorization: `Basic ${ALL}` }, '/summarize'],
    ['wrong in the path', {}, '/k/wrong/summarize'],
    ['empty in the path', {}, '/k//summarize'],
    ['a digest itself', { 'x-api-key': sha256(ALL) }, '/summarize'],
  ])('401 when it is %s; no model is asked', async (_fault, headers, path) => {
    const before = served.service.provider.requests.length
    const answer = await summarize(headers, path)
    expectProblem(answer, 401, 'unauthorized')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    expect(served.service.provider.requests).toHaveLength(before)
  })

  it.each(['/k/%zz/summarize', '/k/abc%/summarize', '/k/%ff%fe/summarize'])(
    '401 when its escapes are malformed: %s',
    async (path) => {
      expectProblem(await summarize({ 'x-api-key': ALL }, path), 401, 'unauthorized')
    },
  )

  it('in the path of an address as proxies get it opens the service, too', async () => {
    const { hostname, port } = new URL(served.url)
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    const path = `http://recapd.example:80${byPath(ALL).replace('/summarize', '/usage')}`
    http.get({ host: hostname, port, path }, (answer) => resolve(answer.resume().statusCode))
    expect(await promise).toBe(200)
  })

  it('in the path keeps the query', async () => {
    expect(await summarize({}, `${byPath(ALL)}?a=1`)).toMatchObject({ status: 200 })
  })

  it('is needed before the body is looked at', async () => {
    const answer = await request(`${served.url}/summarize`, { body: '{', headers: { 'content-type': 'text/plain' } })
    expectProblem(answer, 401, 'unauthorized')
  })
})

describe('what needs no key', () => {
  it.each(['/livez', '/healthz', '/readyz', '/version', '/problems/internal', '/openapi.yaml', '/openapi.json'])(
    'GET %s',
    async (path) => {
      expect(await request(`${served.url}${path}`, { method: 'GET' })).toMatchObject({ status: 200 })
    },
  )

  it.each(['/metrics', '/'])('GET %s on loopback', async (path) => {
    expect(await request(`${served.url}${path}`, { method: 'GET' })).toMatchObject({ status: 200 })
  })

  it('off loopback metrics and pages need one, unless they are opened', async () => {
    const keys = [{ name: 'all', sha256: sha256(ALL) }]
    const closed = await appOfTest({ config: { server: { host: '192.0.2.1' }, auth: { keys } } })
    const opened = await appOfTest({
      config: { server: { host: '192.0.2.1', publicOperations: true }, auth: { keys } },
    })
    for (const path of ['/metrics', '/']) {
      expect(await closed.app.inject(path)).toMatchObject({ statusCode: 401 })
      expect(await closed.app.inject({ url: path, headers: { 'x-api-key': ALL } })).toMatchObject({ statusCode: 200 })
      expect(await opened.app.inject(path)).toMatchObject({ statusCode: 200 })
    }
  })

  it('a malformed key in the path does not close health', async () => {
    expect(await request(`${served.url}/k/%zz/livez`, { method: 'GET' })).toMatchObject({ status: 200 })
  })
})

describe('models of a key', () => {
  const key = { 'x-api-key': NARROW }

  it('keep the others from it: 403, and no call', async () => {
    const answer = await summarize(key, '/summarize', { ...prompt(), model: 'alpha/small' })
    const problem = expectProblem(answer, 403, 'forbidden')
    expect(problem).toMatchObject({ retryable: false, error: { type: 'authentication_error' } })
  })

  it('are asked when they are named', async () => {
    const answer = await summarize(key, '/summarize', { ...prompt(), model: 'alpha/big' })
    expect(JSON.parse(answer.body)).toMatchObject({ model: 'alpha/big' })
  })

  it('leave nothing of the default chain: 403', async () => {
    expectProblem(await summarize(key), 403, 'forbidden')
    expectProblem(await summarize({ 'x-api-key': 'rk_none' }), 403, 'forbidden')
  })

  it('are the only ones in its list', async () => {
    const answer = await request(`${served.url}/v1/models`, { method: 'GET', headers: key })
    expect(JSON.parse(answer.body)).toMatchObject({ data: [{ id: 'alpha/big' }] })
    const all = await request(`${served.url}/v1/models`, { method: 'GET', headers: { 'x-api-key': ALL } })
    const ids = (JSON.parse(all.body) as { data: { id: string }[] }).data.map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual(['alpha/small', 'alpha/big'])
  })
})

describe('endpoints of a key', () => {
  it('403 outside them, whatever the address was written like', async () => {
    const key = { 'x-api-key': NARROW }
    expectProblem(await summarize(key, '/check', { messages: [] }), 403, 'forbidden')
    expectProblem(await summarize({}, `/k/${NARROW}/check`, { messages: [] }), 403, 'forbidden')
  })

  it('let through what their globs name', async () => {
    const answer = await request(`${served.url}/v1/models`, { method: 'GET', headers: { 'x-api-key': NARROW } })
    expect(answer).toMatchObject({ status: 200 })
  })

  it.each([
    ['/anthropic/v1/messages', 502],
    ['/openai/v1/models', 403],
    ['/anthropic/../openai/v1/models', 400],
  ])('say which upstream of the proxy a key may ask: %s is %d', async (path, status) => {
    const upstream = { url: 'http://127.0.0.1:1', speaks: 'openai' }
    const keys = [{ name: 'one', sha256: sha256('rk_one'), endpoints: ['/proxy/anthropic/*'] }]
    const own = await appOfTest({ config: { auth: { keys }, proxy: { anthropic: upstream, openai: upstream } } })
    const address = new URL(await own.listen())
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    // Not as a URL, which would lose its dots.
    const init = {
      host: address.hostname,
      port: address.port,
      path: `/proxy${path}`,
      headers: { 'x-api-key': 'rk_one' },
    }
    http.get(init, (answer) => resolve(answer.resume().statusCode))
    expect(await promise).toBe(status)
  })

  it('do not close health', async () => {
    expect(await request(`${served.url}/livez`, { method: 'GET', headers: { 'x-api-key': NARROW } })).toMatchObject({
      status: 200,
    })
  })
})

describe('secrets', () => {
  it('stand in no line, no metric and no answer', async () => {
    const secrets = [
      ALL,
      encodeURIComponent(ALL),
      'rk_wrong_but_private',
      'of-another-provider',
      'sk-alpha-of-the-provider',
    ]
    const answers = [
      await summarize({}, byPath(ALL)),
      await summarize({}, `/k/${encodeURIComponent(ALL)}/nowhere`),
      await summarize({}, '/k/rk_wrong_but_private/summarize'),
      await summarize({}, '/k/rk_wrong_but_private%zz/summarize'),
      await summarize({}, '/k/rk_wrong_but_private/%zz'),
      await summarize({ 'x-api-key': 'rk_wrong_but_private' }),
      await summarize({ 'x-api-key': ALL, authorization: 'Bearer of-another-provider' }),
      await request(`${served.url}${byPath(ALL)}`, { method: 'GET' }),
      await request(`${served.url}/metrics`, { method: 'GET', headers: { 'x-api-key': ALL } }),
    ]
    const texts = [JSON.stringify(served.service.lines), ...answers.map((answer) => JSON.stringify(answer))]
    for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret)
  })

  it('of the caller never reach the provider', () => {
    const seen = JSON.stringify(served.service.provider.requests)
    for (const secret of [ALL, NARROW, 'of-another-provider']) expect(seen).not.toContain(secret)
  })
})

describe('without configured keys', () => {
  it('everybody is anonymous, and a bearer of another provider is ignored', async () => {
    const own = await appOfTest()
    const answer = await request(
      `${await own.listen()}/summarize`,
      json(prompt(), { authorization: 'Bearer sk-of-the-agent' }),
    )
    expect(answer).toMatchObject({ status: 200 })
    expect(own.lines.find(({ msg }) => msg === 'request')).toMatchObject({ caller: 'anonymous' })
    expect(JSON.stringify([own.lines, own.provider.requests])).not.toContain('sk-of-the-agent')
  })
})
