import { once } from 'node:events'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openEvents } from '../../../src/http/answers/events.ts'
import { appOfTest, buildTestApp, type TestApp, type TestAppOptions } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type Reply, status } from '../../support/fake-provider.ts'
import { json, request } from '../../support/raw-http.ts'
import { readEvents } from '../../support/read-events.ts'
import { waitUntil } from '../../support/wait-until.ts'

const EVENTS = { accept: 'text/event-stream' }
const script = new Map<string, readonly Reply[]>()
let service: TestApp
let url: string
beforeAll(async () => {
  const asked = new Map<string, number>()
  service = await buildTestApp({
    config: { retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 5 }, candidates: ['alpha/small', 'alpha/big'] },
    script({ body }) {
      const text = JSON.stringify(body)
      for (const [mark, replies] of script) {
        if (!text.includes(mark)) continue
        const index = asked.get(mark) ?? 0
        asked.set(mark, index + 1)
        return replies[Math.min(index, replies.length - 1)] ?? {}
      }
      return { text: 'One. Two. Three. Four. Five. Six.' }
    },
  })
  url = await service.listen()
})
afterAll(() => service.close())

async function stream(prompt: string, headers: Record<string, string> = {}, path = '/summarize') {
  const answer = await request(`${url}${path}`, json({ systemPrompt: 'S.', prompt }, { ...EVENTS, ...headers }))
  return { ...answer, events: readEvents(answer.body) }
}
const named = (events: readonly { event: string; data: string }[], name: string) =>
  events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data))
/** Names in order, runs of one name shown once. */
const order = (events: readonly { event: string }[]) =>
  events.map(({ event }) => event).filter((name, index, all) => name !== all[index - 1])

describe('an answer in events', () => {
  it('is deltas, the attempt, and done with the JSON answer; no proxy may hold it back', async () => {
    const { status: code, headers, events } = await stream('Well.')
    expect(code).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
      'ratelimit-limit': expect.any(String),
    })
    expect(headers).not.toHaveProperty('content-length')
    expect(order(events)).toEqual(['delta', 'attempt', 'done'])
    const [done] = named(events, 'done')
    expect(done).toMatchObject({ summary: 'One. Two. Three. Four. Five. Six.', model: 'alpha/small', degraded: false })
    expect(
      named(events, 'delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe(done.summary)
    expect(named(events, 'attempt')).toEqual(done.attempts)
  })

  it('is the same JSON as without events', async () => {
    const plain = await request(`${url}/summarize`, json({ systemPrompt: 'S.', prompt: 'The same.' }))
    const { events } = await stream('The same.', { 'cache-control': 'no-cache' })
    const comparable = (value: Record<string, unknown>) => ({ ...value, attempts: undefined })
    expect(comparable(named(events, 'done')[0])).toEqual(comparable(JSON.parse(plain.body)))
  })

  it('says that it was kept, where no event went out before', async () => {
    await stream('Kept.')
    const again = await stream('Kept.')
    expect(again.headers['x-recapd-cache']).toBe('hit')
  })

  it.each(['text/event-stream, application/json;q=0.5', 'TEXT/EVENT-STREAM'])(
    'is asked for by accept: %s',
    async (accept) => {
      expect((await stream(`Accept ${accept}.`, { accept })).headers['content-type']).toMatch(/^text\/event-stream/)
    },
  )

  it('takes the deltas of a failed attempt back with a reset', async () => {
    script.set('mark-reset', [cut(), { text: 'Whole.' }])
    const { events } = await stream('mark-reset')
    expect(order(events)).toEqual(['delta', 'attempt', 'reset', 'delta', 'attempt', 'done'])
    const after = events.slice(events.findLastIndex(({ event }) => event === 'reset'))
    expect(
      named(after, 'delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Whole.')
    expect(named(events, 'done')[0]).toMatchObject({ summary: 'Whole.' })
  })

  it('says in done what counts: the deltas were provisional', async () => {
    script.set('mark-fence', [{ text: '<think>hm</think>\n```markdown\nThe tests moved.\n```' }])
    const { events } = await stream('mark-fence')
    expect(named(events, 'done')[0].summary).toBe('The tests moved.')
  })

  it('tells its request id and model to the log', async () => {
    await stream('Logged.', { 'x-request-id': 'streamed' })
    const line = await waitUntil(
      () => service.lines.find(({ reqId, msg }) => msg === 'request' && reqId === 'streamed'),
      'its line',
    )
    expect(line).toMatchObject({ status: 200, model: 'alpha/small' })
  })
})

/** A stream that ends in the middle of the answer. */
function cut(): Reply {
  const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
  return { raw: chunk('Half an answer ') + chunk('that breaks off'), contentType: 'text/event-stream' }
}

describe('a failure in events', () => {
  it('is an ordinary problem before the stream begins', async () => {
    const bad = await request(`${url}/summarize`, json({ prompt: '' }, EVENTS))
    expectProblem(bad, 400, 'invalid-request')
    const broken = await request(`${url}/summarize`, {
      body: '{',
      headers: { 'content-type': 'application/json', ...EVENTS },
    })
    expectProblem(broken, 400, 'invalid-json')
    const unknown = await request(
      `${url}/summarize`,
      json({ systemPrompt: 'S.', prompt: 'P.', model: 'ghost/x' }, EVENTS),
    )
    expectProblem(unknown, 422, 'unknown-model')
    const header = await stream('Bad header.', { 'x-request-timeout-ms': 'soon' })
    expectProblem(header, 400, 'invalid-request')
  })

  it('ends the stream in one error with the whole problem', async () => {
    script.set('mark-fail', [status(500)])
    const { status: code, events, headers } = await stream('mark-fail', { 'x-request-id': 'failed-late' })
    expect(code).toBe(200)
    expect(order(events)).toEqual(['attempt', 'error'])
    const [problem] = named(events, 'error')
    const answer = {
      status: 502,
      body: JSON.stringify(problem),
      headers: { ...headers, 'content-type': 'application/problem+json' },
    }
    expect(expectProblem(answer, 502, 'models-failed').attempts).toEqual(named(events, 'attempt'))
    const line = await waitUntil(
      () => service.lines.find(({ reqId, msg }) => msg === 'request' && reqId === 'failed-late'),
      'its line',
    )
    expect(line).toMatchObject({ status: 502, code: 'models-failed' })
  })

  it('is the deadline as well', async () => {
    script.set('mark-late', [{ text: 'One. Two. Three. Four.', chunkDelayMs: 800 }])
    const { events } = await stream('mark-late', { 'x-request-timeout-ms': '1500' })
    expect(order(events).at(-1)).toBe('error')
    expect(named(events, 'error')[0]).toMatchObject({ code: 'deadline-exceeded', status: 504 })
  })
})

describe('openEvents', () => {
  it.each([true, false])('adds nothing once it has ended, begun or not (%s)', async (begun) => {
    const own = await appOfTest()
    own.app.get('/late', { config: { access: 'open' } }, async (_request, reply) => {
      const events = openEvents(reply)
      if (begun) events.event('first', '{}')
      events.end()
      setImmediate(() => events.event('late', '{}'))
      return begun ? reply : 'An ordinary answer.'
    })
    const answer = await request(`${await own.listen()}/late`, { method: 'GET' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(answer.body).toBe(begun ? 'event: first\ndata: {}\n\n' : 'An ordinary answer.')
  })
})

describe('heartbeats', () => {
  const stage = async (options: TestAppOptions, path: string, body: object) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const own = await appOfTest(options)
    const base = await own.listen()
    const outgoing = http.request(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...EVENTS },
    })
    outgoing.on('error', () => {})
    outgoing.end(JSON.stringify(body))
    let text = ''
    const answered = once(outgoing, 'response').then(([response]) => {
      response.on('data', (part: Buffer) => {
        text += part.toString()
      })
      return response as http.IncomingMessage
    })
    await waitUntil(() => own.provider.requests.length === 1, 'the call began')
    return { own, outgoing, answered, events: () => readEvents(text) }
  }

  it.each([
    ['/summarize', { systemPrompt: 'S.', prompt: 'P.' }],
    ['/v1/chat/completions', { stream: true, messages: [{ role: 'user', content: 'P.' }] }],
  ])('%s says every 15 s that it works still, and stops when the client has left', async (path, body) => {
    const { own, outgoing, answered, events } = await stage({ script: [{ hang: true }] }, path, body)
    vi.advanceTimersByTime(14_999)
    expect(events()).toEqual([])
    vi.advanceTimersByTime(1)
    expect((await answered).headers['content-type']).toMatch(/^text\/event-stream/)
    vi.advanceTimersByTime(30_000)
    await waitUntil(() => events().length === 3, 'three heartbeats')
    expect(new Set(events().map(({ event }) => event))).toEqual(new Set(['comment']))
    outgoing.destroy()
    await own.provider.requests[0]?.over
    await waitUntil(() => vi.getTimerCount() === 0, 'no timer is left')
  })

  it('are no part of an answer that comes before', async () => {
    const { events } = await stage({}, '/summarize', { systemPrompt: 'S.', prompt: 'P.' })
    await waitUntil(() => events().some(({ event }) => event === 'done'), 'the answer')
    expect(events().map(({ event }) => event)).not.toContain('comment')
    expect(vi.getTimerCount()).toBe(0)
  })
})
