import { describe, expect, it } from 'vitest'
import { appOfFile } from '../support/build-test-app.ts'
import { json, request } from '../support/raw-http.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

const served = appOfFile()

let sent = 0
/** A prompt of its own each time, so that no answer comes from the cache. */
const summarize = (headers: Record<string, string> = {}) => {
  sent += 1
  return request(`${served.url}/summarize`, json({ systemPrompt: 'S.', prompt: `Headers ${sent}.` }, headers))
}
const upstreamOf = (prompt: string) =>
  served.service.provider.requests.find(({ body }) => JSON.stringify(body).includes(prompt))?.headers

describe('x-request-id', () => {
  it.each(['a', 'agent.7:turn_3-A', 'x'.repeat(128)])('is echoed and logged when it fits: %s', async (id) => {
    const answer = await summarize({ 'x-request-id': id })
    expect(answer.headers['x-request-id']).toBe(id)
    expect(served.service.lines.filter(({ reqId }) => reqId === id)).toHaveLength(1)
  })

  it.each(['', 'has space', 'semi;colon', 'x'.repeat(129), 'ü'])('is a new UUID when it does not: %s', async (id) => {
    const answer = await summarize({ 'x-request-id': id })
    expect(answer.headers['x-request-id']).toMatch(UUID)
  })

  it('is never taken from two headers at once', async () => {
    const { headers } = await request(`${served.url}/livez`, {
      method: 'GET',
      headers: { 'x-request-id': ['one', 'two'] },
    })
    expect(headers['x-request-id']).toMatch(UUID)
  })

  it('differs between requests that bring none', async () => {
    const ids = await Promise.all([summarize(), summarize(), summarize()])
    expect(new Set(ids.map(({ headers }) => headers['x-request-id'])).size).toBe(3)
  })
})

describe('traceparent', () => {
  it('is logged by its trace and span, and handed on unchanged where no tracer is set up', async () => {
    await summarize({ traceparent: TRACEPARENT, 'x-request-id': 'traced' })
    const passed = upstreamOf(`Headers ${sent}.`)?.['traceparent']
    expect(passed).toBe(TRACEPARENT)
    const line = served.service.lines.find(({ reqId, msg }) => msg === 'request' && reqId === 'traced')
    expect(line).toMatchObject({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736' })
  })

  it.each([
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
    'nonsense',
  ])('is neither logged nor handed on when it is malformed: %s', async (traceparent) => {
    await summarize({ traceparent, 'x-request-id': `untraced-${sent}` })
    expect(upstreamOf(`Headers ${sent}.`)?.['traceparent']).toBeUndefined()
    expect(
      served.service.lines.find(({ reqId, msg }) => msg === 'request' && reqId === `untraced-${sent - 1}`),
    ).not.toHaveProperty('traceId')
  })
})

describe('security headers', () => {
  it.each(['/livez', '/summarize', '/nowhere', '/problems/internal', '/'])(
    'stand on every answer: GET %s',
    async (path) => {
      const { headers } = await request(`${served.url}${path}`, { method: 'GET' })
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      expect(headers['cache-control']).toMatch(/^no-(store|cache)$/)
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('server')
    },
  )

  it('keep a page to what this service serves itself', async () => {
    const { headers } = await request(`${served.url}/`, { method: 'GET' })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
  })
})

describe('what goes to the provider', () => {
  it('is none of the caller’s own headers but the trace', async () => {
    await summarize({ 'x-request-id': 'mine', cookie: 'session=1', authorization: 'Bearer of-the-agent', 'x-own': '1' })
    const passed = upstreamOf(`Headers ${sent}.`) ?? {}
    expect(passed.authorization).toBe('Bearer sk-alpha-of-the-provider')
    for (const name of ['cookie', 'x-own', 'x-request-id']) expect(passed).not.toHaveProperty(name)
  })
})
