import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRequestClock } from '../../../src/http/answers/request-clock.ts'
import { buildTestApp, type TestApp } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { json, open, request } from '../../support/raw-http.ts'
import { waitUntil } from '../../support/wait-until.ts'

let service: TestApp
let url: string
const rejections: unknown[] = []
const onRejection = (reason: unknown) => rejections.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', onRejection)
  service = await buildTestApp({
    script: ({ body }) => (JSON.stringify(body).includes('hang') ? { hang: true } : { text: 'Fine.' }),
  })
  url = await service.listen()
})
afterAll(async () => {
  await service.close()
  process.off('unhandledRejection', onRejection)
})
afterEach(() => {
  expect(rejections).toEqual([])
  expect(service.lines.filter(({ msg }) => msg === 'internal fault')).toEqual([])
})

const callOf = (mark: string) => service.provider.requests.find(({ body }) => JSON.stringify(body).includes(mark))
const lineOf = (id: string) => service.lines.find(({ reqId, msg }) => msg === 'request' && reqId === id)
const summarize = (prompt: string, headers: Record<string, string> = {}) =>
  request(`${url}/summarize`, json({ systemPrompt: 'S.', prompt }, headers))

describe('x-request-timeout-ms', () => {
  it.each(['0', '-5', '1.5', 'soon', '1e3', '', '9999999999999'])(
    '400 when it is no whole number of ms: %j',
    async (value) => {
      const answer = await summarize('Fine.', { 'x-request-timeout-ms': value })
      const problem = expectProblem(answer, 400, 'invalid-request')
      expect(problem.errors?.[0]?.path).toBe('/headers/x-request-timeout-ms')
    },
  )

  it('is no limit for an answer that comes in time', async () => {
    expect(await summarize('In time.', { 'x-request-timeout-ms': '60000' })).toMatchObject({ status: 200 })
  })

  it('shortens the deadline: 504, the upstream call is given up, its attempt is told', async () => {
    const answer = await summarize('hang deadline', { 'x-request-timeout-ms': '1200' })
    const problem = expectProblem(answer, 504, 'deadline-exceeded')
    expect(problem.retryable).toBe(true)
    expect(problem.detail).toMatch(/deadline|1200 ms/)
    await callOf('hang deadline')?.over
    expect(callOf('hang deadline')).toMatchObject({ closedEarly: true })
  })

  it('504 without a call when no attempt could have its second', async () => {
    expectProblem(await summarize('hang at once', { 'x-request-timeout-ms': '1' }), 504, 'deadline-exceeded')
    expect(callOf('hang at once')).toBeUndefined()
  })

  it('never lengthens the deadline of the service', async () => {
    const own = await buildTestApp({ script: [{ hang: true }], config: { timeouts: { requestMs: 1_100 } } })
    const body = json({ systemPrompt: 'S.', prompt: 'P.' }, { 'x-request-timeout-ms': '600000' })
    expectProblem(await request(`${await own.listen()}/summarize`, body), 504, 'deadline-exceeded')
    await own.close()
  })
})

describe('startRequestClock', () => {
  const stage = (header: string | undefined, arrivedBeforeMs: number, requestMs: number) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const raw = Object.assign(new EventEmitter(), { writableEnded: false, destroyed: false })
    const headers = header === undefined ? {} : { 'x-request-timeout-ms': header }
    const asked = { headers, startedAt: performance.now() - arrivedBeforeMs } as unknown as FastifyRequest
    return {
      raw,
      clock: startRequestClock(asked, { raw } as unknown as FastifyReply, { requestMs, orphanAfterMs: 20_000 }),
    }
  }

  it('counts from the arrival of the request: a slow body uses up its time', () => {
    const { clock } = stage('5000', 2_000, 170_000)
    expect(clock.deadlineAt - Date.now()).toBe(3_000)
    vi.advanceTimersByTime(2_999)
    expect(clock.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(clock.signal.reason).toMatchObject({
      code: 'deadline-exceeded',
      message: expect.stringContaining('5000 ms'),
    })
  })

  it('aborts at once where the body used it up', () => {
    const { clock } = stage('5000', 9_000, 170_000)
    vi.advanceTimersByTime(1)
    expect(clock.signal.aborted).toBe(true)
  })

  it('takes no long time for none', () => {
    const { clock } = stage(undefined, 0, 90 * 86_400_000)
    vi.advanceTimersByTime(86_400_000)
    expect(clock.signal.aborted).toBe(false)
    clock.stop()
  })

  it('leaves no timer and no listener behind', () => {
    const { clock, raw } = stage(undefined, 0, 1_000)
    clock.stop()
    expect([vi.getTimerCount(), raw.listenerCount('close')]).toEqual([0, 0])
  })

  it('tells a client that left from an answer that is done', () => {
    const left = stage(undefined, 0, 1_000)
    left.raw.emit('close')
    expect(left.clock.signal.reason).toMatchObject({ code: 'client-closed' })
    const done = stage(undefined, 0, 1_000)
    done.raw.writableEnded = true
    done.raw.emit('close')
    expect(done.clock.signal.aborted).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a client that leaves', () => {
  const leave = async (mark: string, more: { path?: string; body?: object; headers?: Record<string, string> } = {}) => {
    const controller = new AbortController()
    const answer = fetch(`${url}${more.path ?? '/summarize'}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': mark, ...more.headers },
      body: JSON.stringify(more.body ?? { systemPrompt: 'S.', prompt: `hang ${mark}` }),
      signal: controller.signal,
    }).catch((reason: unknown) => reason)
    const call = await waitUntil(() => callOf(mark), 'the upstream call began')
    controller.abort()
    await answer
    await call.over
    return call
  }

  it('closes the upstream call and is logged as 499', async () => {
    expect(await leave('gone-1')).toMatchObject({ closedEarly: true })
    expect(await waitUntil(() => lineOf('gone-1'), 'its line')).toMatchObject({
      status: 499,
      route: '/summarize',
      level: 'info',
    })
    const text = await service.metrics.registry.getSingleMetricAsString('recapd_http_requests_total')
    expect(text).toMatch(/route="\/summarize",method="POST",status="499"\} 1/)
  })

  it('closes it as well when it asked for events', async () => {
    expect(await leave('gone-2', { headers: { accept: 'text/event-stream' } })).toMatchObject({ closedEarly: true })
    expect(await waitUntil(() => lineOf('gone-2'), 'its line')).toMatchObject({ status: 499 })
  })

  it('closes it as well on the OpenAI face, streamed or not', async () => {
    for (const stream of [false, true]) {
      const body = { stream, messages: [{ role: 'user', content: `hang gone-3-${stream}` }] }
      const call = await leave(`gone-3-${stream}`, { path: '/v1/chat/completions', body })
      expect(call).toMatchObject({ closedEarly: true })
    }
  })

  it('does not cut another client who waits for the same answer', async () => {
    const body = { systemPrompt: 'S.', prompt: 'hang shared' }
    const controller = new AbortController()
    const post = (signal?: AbortSignal) =>
      fetch(`${url}/summarize`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }).catch((reason: unknown) => reason)
    const [first, second] = [post(controller.signal), new AbortController()]
    await waitUntil(() => callOf('hang shared'), 'the call began')
    const other = post(second.signal)
    await waitUntil(() => service.lifecycle.inflight === 2, 'both wait')
    controller.abort()
    await first
    await waitUntil(() => service.lifecycle.inflight === 1, 'one has left')
    expect(callOf('hang shared')).toMatchObject({ closedEarly: false })
    second.abort()
    await other
    await callOf('hang shared')?.over
    expect(callOf('hang shared')).toMatchObject({ closedEarly: true })
    expect(
      service.provider.requests.filter(({ body: asked }) => JSON.stringify(asked).includes('hang shared')),
    ).toHaveLength(1)
  })

  it('is noticed when it closes only after a whole request, without reading', async () => {
    const connection = await open(url)
    const body = JSON.stringify({ systemPrompt: 'S.', prompt: 'hang half-open' })
    connection.socket.write(
      `POST /summarize HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    const call = await waitUntil(() => callOf('half-open'), 'the call began')
    connection.socket.destroy()
    await call.over
    expect(call).toMatchObject({ closedEarly: true })
  })
})
