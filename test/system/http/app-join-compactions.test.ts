import { describe, expect, it } from 'vitest'
import { appOfTest, type TestApp } from '../../support/build-test-app.ts'
import type { RecordedRequest, Reply } from '../../support/fake-provider.ts'
import { WHOLE } from '../../support/pipeline-world.ts'
import { readEvents } from '../../support/read-events.ts'
import { SessionBuilder } from '../../support/session-builder.ts'
import { waitUntil } from '../../support/wait-until.ts'

const SIZES = [
  ['a small body, on the event loop', 0],
  ['a big body, in a worker', 1_500_000],
] as const

/** A provider that answers only once the test opens the gate. */
function gated() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const script = (_request: RecordedRequest): Reply => ({ text: WHOLE, after: promise })
  return { open: resolve, script }
}

/** A session of five turns under a lock; so many bytes of padding make it a big body. */
function bodyOf(bytes: number, more: object = {}): string {
  const session = new SessionBuilder()
  session.turns(5)
  const settings = { keepRecentTokens: 2100 }
  const padding = bytes === 0 ? {} : { x_padding: 'x'.repeat(bytes) }
  return JSON.stringify({ entries: session.rows, settings, shortSummary: false, sessionId: 'S', ...padding, ...more })
}

async function client(service: TestApp) {
  const url = await service.listen()
  const post = (body: string, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
    fetch(`${url}/compact`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      signal,
    })
  return {
    post,
    /** A caller that streams: known to have joined once it hears something. */
    async listen(body: string, signal: AbortSignal | null = null) {
      const answer = await post(body, { accept: 'text/event-stream' }, signal)
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      const { value } = await reader.read()
      return { first: new TextDecoder().decode(value), rest: () => restOf(reader) }
    },
  }
}

async function restOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read())
    text += decoder.decode(read.value, { stream: true })
  return text
}

/** Only one of them pays. */
const withoutUsage = (text = '') => ({ ...JSON.parse(text), usage: undefined, calls: undefined })

describe('POST /compact twice, byte for byte', () => {
  it('asks the models once and answers both alike; another body for that session gets 409', async () => {
    const gate = gated()
    let runs = 0
    const service = await appOfTest({
      script: gate.script,
      offload: (offload) => ({
        ...offload,
        run: (...call) => {
          runs += 1
          return offload.run(...call)
        },
      }),
    })
    const { post } = await client(service)
    const both = [post(bodyOf(0)), post(bodyOf(0))]
    await waitUntil(() => runs === 2 && service.provider.requests.length === 1, 'both are running')
    const other = await post(bodyOf(0, { customInstructions: 'briefly' }))
    expect(other.status).toBe(409)
    expect(await other.json()).toMatchObject({ code: 'compaction-in-progress', state: expect.any(String) })
    gate.open()
    const [one, two] = await Promise.all(both.map(async (answer) => (await answer).text()))
    expect(JSON.parse(one ?? '')).toMatchObject({ compacted: true })
    expect(withoutUsage(two)).toEqual(withoutUsage(one))
    expect(service.provider.requests).toHaveLength(1)
  })

  it.each(SIZES)('streams the same events to both: %s', async (_what, bytes) => {
    const gate = gated()
    const service = await appOfTest({ script: gate.script })
    const { listen } = await client(service)
    const one = await listen(bodyOf(bytes))
    const two = await listen(bodyOf(bytes))
    gate.open()
    const texts = [one.first + (await one.rest()), two.first + (await two.rest())]
    const [first, second] = texts.map((text) => readEvents(text).filter(({ event }) => event !== 'comment'))
    expect(first?.map(({ event }) => event)).toEqual(expect.arrayContaining(['compaction_start', 'plan', 'summary']))
    expect(first?.at(-1)?.event).toBe('done')
    expect(second?.slice(0, -1)).toEqual(first?.slice(0, -1))
    expect(withoutUsage(second?.at(-1)?.data)).toEqual(withoutUsage(first?.at(-1)?.data))
    expect(service.provider.requests).toHaveLength(1)
  })

  it.each(SIZES)('lives on when the first caller leaves and ends with the last: %s', async (_what, bytes) => {
    const gate = gated()
    const service = await appOfTest({ script: gate.script })
    const { listen, post } = await client(service)
    const [leaving, staying] = [new AbortController(), new AbortController()]
    const one = await listen(bodyOf(bytes), leaving.signal)
    const two = await listen(bodyOf(bytes), staying.signal)
    const request = await waitUntil(() => service.provider.requests[0], 'the provider is asked')
    leaving.abort()
    await expect(one.rest()).rejects.toThrow()
    await waitUntil(() => service.lifecycle.inflight === 1, 'the first has left')
    expect(request.closedEarly).toBe(false)
    staying.abort()
    await expect(two.rest()).rejects.toThrow()
    await request.over
    expect(request.closedEarly).toBe(true)
    gate.open()
    const again = await waitUntil(async () => {
      const answer = await post(bodyOf(bytes))
      return answer.status === 200 ? answer : undefined
    }, 'the session is free again')
    expect(await again.json()).toMatchObject({ compacted: true })
  })
})

describe('POST /compact past its deadline', () => {
  it.each(SIZES)('504 in the words of the seed, with a state: %s', async (_what, bytes) => {
    const service = await appOfTest({ script: [{ hang: true }] })
    const { post } = await client(service)
    const answer = await post(bodyOf(bytes, { reason: 'overflow' }), { 'x-request-timeout-ms': '5000' })
    expect(answer.status).toBe(504)
    expect(await answer.json()).toMatchObject({
      code: 'deadline-exceeded',
      detail: expect.stringMatching(/^Context overflow recovery failed: /),
      state: expect.any(String),
    })
  })
})
