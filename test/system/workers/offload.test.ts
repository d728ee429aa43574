import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Offload } from '../../../src/workers/offload.ts'
import { appOfTest, buildTestApp, type TestApp } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type Reply, status } from '../../support/fake-provider.ts'
import { json, request } from '../../support/raw-http.ts'
import { readEvents } from '../../support/read-events.ts'
import { waitUntil } from '../../support/wait-until.ts'

const FILLER = 'the worker retries and the client waits. '.repeat(26_215)
const LONG = 'Many words that come one by one. '.repeat(400).trim()
const script = new Map<string, Reply>([
  ['mark-hang', { hang: true }],
  ['mark-fail', status(503, { 'retry-after-ms': '5' })],
  ['mark-long', { text: LONG }],
])

/** A body that is worked on in another thread; the mark comes first, so that scripts find it soon. */
const bodyOf = (mark: string, more: object = {}) => ({
  systemPrompt: 'S.',
  prompt: `${mark} ${FILLER}`,
  model: 'alpha/huge',
  ...more,
})

const workers: Worker[] = []
const onWorker = (worker: Worker) => workers.push(worker)
let service: TestApp
let url: string
beforeAll(async () => {
  process.on('worker', onWorker)
  service = await buildTestApp({
    script({ body }) {
      const prompt = JSON.stringify(body).slice(0, 500)
      return [...script].find(([mark]) => prompt.includes(mark))?.[1] ?? { text: 'The parser moved.' }
    },
  })
  url = await service.listen()
})
afterAll(async () => {
  process.off('worker', onWorker)
  await service.close()
})

const summarize = (body: object, headers: Record<string, string> = {}) =>
  request(`${url}/summarize`, json(body, headers))
const callsWith = (mark: string) =>
  service.provider.requests.filter(({ body }) => JSON.stringify(body).slice(0, 500).includes(mark))

describe('a body over 1 MiB', () => {
  it('is answered as a small one is, from another thread', async () => {
    const before = workers.length
    const small = JSON.parse((await summarize({ systemPrompt: 'S.', prompt: 'Small.' })).body)
    expect(workers).toHaveLength(before)
    const answer = await summarize(bodyOf('mark-plain'))
    expect(workers).toHaveLength(before + 1)
    expect(answer.status).toBe(200)
    const large = JSON.parse(answer.body)
    expect(Object.keys(large)).toEqual(Object.keys(small))
    expect(large).toMatchObject({
      summary: 'The parser moved.',
      model: 'alpha/huge',
      attempts: [{ outcome: 'ok', status: 200 }],
    })
    const line = service.lines.findLast(({ msg }) => msg === 'request')
    expect(line).toMatchObject({
      model: 'alpha/huge',
      bodyBytes: Buffer.byteLength(JSON.stringify(bodyOf('mark-plain'))),
    })
  })

  it('keeps the thread that was started for the next ones', async () => {
    await summarize(bodyOf('mark-keep-1'))
    const before = workers.length
    await summarize(bodyOf('mark-keep-2'))
    expect(workers).toHaveLength(before)
  })

  it('tells where its answer came from', async () => {
    expect((await summarize(bodyOf('mark-cached'))).headers['x-recapd-cache']).toBe('miss')
    const again = await summarize(bodyOf('mark-cached'))
    expect(again.headers['x-recapd-cache']).toBe('hit')
    expect(JSON.parse(again.body)).toMatchObject({ summary: 'The parser moved.', attempts: [] })
    expect(callsWith('mark-cached')).toHaveLength(1)
  })

  it('is read by both threads where it lies, without a copy', async () => {
    let bytes: Uint8Array | undefined
    const own = await appOfTest({
      offload: (offload) => ({
        ...offload,
        run(running, signal) {
          bytes = running.call.bytes
          return offload.run(running, signal)
        },
      }),
    })
    const body = bodyOf('mark-bytes')
    expect(await request(`${await own.listen()}/summarize`, json(body))).toMatchObject({ status: 200 })
    expect(bytes?.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  it('streams its events whole and in order, the answer last', async () => {
    const answer = await summarize(bodyOf('mark-long'), { accept: 'text/event-stream' })
    const events = readEvents(answer.body)
    const names = events.map(({ event }) => event)
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual(['delta', 'attempt', 'done'])
    const deltas = events.filter(({ event }) => event === 'delta').map(({ data }) => JSON.parse(data).text)
    expect(deltas.length).toBeGreaterThan(100)
    expect(deltas.join('')).toBe(LONG)
    expect(JSON.parse(events.at(-1)?.data ?? '')).toMatchObject({ summary: LONG })
  })

  it('streams chunks on the OpenAI face', async () => {
    const body = { stream: true, model: 'alpha/huge', messages: [{ role: 'user', content: `mark-chunks ${FILLER}` }] }
    const events = readEvents((await request(`${url}/v1/chat/completions`, json(body))).body)
    expect(events.at(-1)?.data).toBe('[DONE]')
  })
})

describe('a failure in another thread', () => {
  it('of the body is the same problem, with its JSON pointers', async () => {
    const problem = expectProblem(
      await summarize(bodyOf('x', { maxTokens: 0, systemPrompt: 5 })),
      400,
      'invalid-request',
    )
    expect(problem.errors?.map(({ path }) => path)).toEqual(['/systemPrompt', '/maxTokens'])
    const broken = await request(`${url}/summarize`, {
      body: `{"prompt": "${FILLER}`,
      headers: { 'content-type': 'application/json' },
    })
    expectProblem(broken, 400, 'invalid-json')
    expectProblem(await summarize(bodyOf('x', { model: 'ghost/x' })), 422, 'unknown-model')
    expectProblem(await summarize(bodyOf('x', { model: 'alpha/small' })), 422, 'nothing-fits')
  })

  it('of the models keeps its attempts and its hint', async () => {
    const problem = expectProblem(await summarize(bodyOf('mark-fail')), 502, 'models-failed')
    expect(problem.attempts?.[0]).toMatchObject({ model: 'alpha/huge', outcome: 'server_error', status: 503 })
    expect(problem.retryAfterMs).toBe(5)
  })

  it('of the deadline is 504, and the upstream call is given up', async () => {
    const answer = await summarize(bodyOf('mark-hang deadline'), { 'x-request-timeout-ms': '1500' })
    expectProblem(answer, 504, 'deadline-exceeded')
    await callsWith('mark-hang deadline')[0]?.over
    expect(callsWith('mark-hang deadline')).toMatchObject([{ closedEarly: true }])
  })

  it('before the stream begins is an ordinary problem', async () => {
    expectProblem(
      await summarize(bodyOf('x', { maxTokens: 0 }), { accept: 'text/event-stream' }),
      400,
      'invalid-request',
    )
  })
})

describe('a client that leaves', () => {
  it.each([{}, { accept: 'text/event-stream' }])('aborts the call that was made for a worker: %j', async (headers) => {
    const mark = `mark-hang ${JSON.stringify(headers).length}`
    const controller = new AbortController()
    const answer = fetch(`${url}/summarize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': mark.replace(' ', '-'), ...headers },
      body: JSON.stringify(bodyOf(mark)),
      signal: controller.signal,
    }).catch((reason: unknown) => reason)
    const call = await waitUntil(() => callsWith(mark)[0], 'the call began')
    controller.abort()
    await answer
    await call.over
    expect(call).toMatchObject({ closedEarly: true })
    const line = await waitUntil(() => service.lines.find(({ reqId }) => reqId === mark.replace(' ', '-')), 'its line')
    expect(line).toMatchObject({ status: 499 })
    expect(service.lines.filter(({ msg }) => msg === 'internal fault')).toEqual([])
  })
})

describe('a worker that dies', () => {
  it('answers 500 instead of hanging, its upstream call is given up, and another takes over', async () => {
    const own = await appOfTest({
      script: ({ body }) => (JSON.stringify(body).includes('mark-hang') ? { hang: true } : { text: 'Fine.' }),
    })
    const base = await own.listen()
    const before = workers.length
    const answer = request(`${base}/summarize`, json(bodyOf('mark-hang')))
    const call = await waitUntil(() => own.provider.requests[0], 'the call began')
    await workers[before]?.terminate()
    expectProblem(await answer, 500, 'internal')
    await call.over
    expect(call).toMatchObject({ closedEarly: true })
    expect(own.lines.filter(({ msg }) => msg === 'internal fault')).toHaveLength(1)
    expect(await request(`${base}/summarize`, json(bodyOf('mark-next')))).toMatchObject({ status: 200 })
  })

  it('already at its start answers 500 as well', async () => {
    const own = await appOfTest({ worker: { promptsFolder: '/nowhere/at/all' } })
    const base = await own.listen()
    for (let time = 0; time < 2; time += 1)
      expectProblem(await request(`${base}/summarize`, json(bodyOf('mark-start'))), 500, 'internal')
  })
})

describe('a bug of ours in a call for a worker', () => {
  it('is logged with its stack where it happened, under the request', async () => {
    const own = await appOfTest({
      offload: (offload): Offload => ({
        ...offload,
        run: (running, signal) => {
          const select = () => {
            throw new TypeError('violet-otter is undefined')
          }
          const broken = { ...running.deps.models, select }
          const models = { ...broken, pinned: () => broken }
          return offload.run({ ...running, deps: { ...running.deps, models } }, signal)
        },
      }),
    })
    const answer = await request(`${await own.listen()}/summarize`, json(bodyOf('mark-bug'), { 'x-request-id': 'bug' }))
    expectProblem(answer, 500, 'internal')
    const stacks = own.lines
      .filter(({ level, reqId }) => level === 'error' && reqId === 'bug')
      .map(({ err }) => JSON.stringify(err))
    expect(stacks.some((stack) => stack.includes('offload.test.ts'))).toBe(true)
    expect(JSON.stringify([own.lines, answer])).not.toContain('violet-otter')
  })
})

describe('more long prompts at once than a thread takes works', () => {
  it('are all told without a model: none waits for a part that waits for it', { timeout: 60_000 }, async () => {
    const own = await appOfTest({ config: { candidates: ['recapd/extractive'], workers: { max: 1 } } })
    const base = await own.listen()
    const turns = `[User]: Go on. ${FILLER.slice(0, 740)}\n\n`.repeat(100)
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, number) =>
        request(
          `${base}/summarize`,
          json({
            systemPrompt: 'S.',
            prompt: `<conversation>\n[User]: Plan ${number}.\n\n${turns}</conversation>\n\n## Goal`,
          }),
        ),
      ),
    )
    expect(answers.filter(({ status: answered }) => answered !== 200)).toEqual([])
  })
})

describe('a prompt of 11 MB', () => {
  afterEach(() => expect(service.lines.filter(({ msg }) => msg === 'internal fault')).toEqual([]))

  it('does not keep the event loop from its health checks', { timeout: 90_000 }, async () => {
    let running = false
    const own = await buildTestApp({
      config: { candidates: ['recapd/extractive'] },
      offload: (offload) => ({
        ...offload,
        async run(asked, signal) {
          running = true
          return offload.run(asked, signal).finally(() => {
            running = false
          })
        },
      }),
    })
    onTestFinished(own.close)
    const base = await own.listen()
    const turns = Array.from(
      { length: 15_000 },
      (_, index) => `[${index % 2 === 0 ? 'User' : 'Assistant'}]: Turn ${index}. ${FILLER.slice(0, 740)}`,
    )
    const prompt = `<conversation>\n${turns.join('\n\n')}\n</conversation>\n\nSummarise it under the heading ## Goal.`
    const answer = request(`${base}/summarize`, json({ systemPrompt: 'S.', prompt }))
    await waitUntil(() => running, 'the body has arrived')
    let answered = 0
    while (running) {
      const health = await request(`${base}/livez`, { method: 'GET' })
      if (running && health.status === 200) answered += 1
    }
    expect(JSON.parse((await answer).body)).toMatchObject({ model: 'recapd/extractive', degraded: true })
    // Worked on in the event loop, it would leave room for none.
    expect(answered).toBeGreaterThan(20)
  })
})
