import zlib from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { appOfFile, appOfTest } from '../../support/build-test-app.ts'
import { type Answered, expectProblem } from '../../support/expect-problem.ts'
import { json, open, parseAnswer, request } from '../../support/raw-http.ts'
import { waitUntil } from '../../support/wait-until.ts'

const LIMIT_BYTES = 200_000
const PACKERS = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, deflate: zlib.deflateSync }

const served = appOfFile({ config: { server: { bodyLimitBytes: LIMIT_BYTES } } })

let sent = 0
const bodyOf = (bytes = 100) => {
  sent += 1
  return JSON.stringify({ systemPrompt: 'S.', prompt: `${sent} ${'words '.repeat(bytes / 6)}` })
}
const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  request(`${served.url}/summarize`, { body, headers: { 'content-type': 'application/json', ...headers } })

/** A body sent piece by piece without its length being told, over a connection that is kept, as clients do. */
async function postChunked(pieces: readonly Uint8Array[]): Promise<Answered> {
  const answer = await fetch(`${served.url}/summarize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ReadableStream.from(pieces),
    duplex: 'half',
  })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
}

describe('media types', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('takes %s', async (type) => {
    expect(await post(bodyOf(), { 'content-type': type })).toMatchObject({ status: 200 })
  })

  it.each(['text/plain', 'application/xml', 'application/jsonp', 'multipart/form-data', 'json', ''])(
    '415 for %s',
    async (type) => {
      expectProblem(await post(bodyOf(), { 'content-type': type }), 415, 'unsupported-media-type')
    },
  )

  it('415 for a body of no declared type', async () => {
    const answer = await request(`${served.url}/summarize`, { body: bodyOf() })
    expect(expectProblem(answer, 415, 'unsupported-media-type').detail).toContain('content-type')
  })

  it('415 for a session file where no session is taken', async () => {
    expectProblem(await post(bodyOf(), { 'content-type': 'application/x-ndjson' }), 415, 'unsupported-media-type')
  })
})

describe('a body that is no request', () => {
  it('missing altogether is 400 and says what to send', async () => {
    const problem = expectProblem(await request(`${served.url}/summarize`), 400, 'invalid-request')
    expect(problem.errors).toEqual([{ path: '', message: 'expected a body' }])
  })

  it.each(['', '{', 'null]', '{"prompt": NaN}', '\u0000'])('is 400 invalid-json: %j', async (text) => {
    expectProblem(await post(text), 400, 'invalid-json')
  })

  it.each(['null', '[]', '"text"', '7'])('is 400 invalid-request when it is JSON but no object: %s', async (text) => {
    expectProblem(await post(text), 400, 'invalid-request')
  })

  it('lists every schema fault with its JSON pointer and never the value', async () => {
    const answer = await post(JSON.stringify({ systemPrompt: ['a', 5], prompt: '', maxTokens: 'violet-otter' }))
    const problem = expectProblem(answer, 400, 'invalid-request')
    const paths = problem.errors?.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/prompt', '/maxTokens']))
    expect(paths?.some((path) => path.startsWith('/systemPrompt'))).toBe(true)
    expect(answer.body).not.toContain('violet-otter')
    expect(problem.error.param).toBe(paths?.[0])
  })

  it('is read when it begins with a byte order mark', async () => {
    expect(await post(`\uFEFF${bodyOf()}`)).toMatchObject({ status: 200 })
  })
})

describe('content-encoding', () => {
  it.each(Object.entries(PACKERS))('%s is inflated', async (coding, pack) => {
    const text = bodyOf()
    expect(await post(pack(text), { 'content-encoding': coding })).toMatchObject({ status: 200 })
    const { prompt } = JSON.parse(text) as { prompt: string }
    expect(served.service.provider.requests.some(({ body }) => JSON.stringify(body).includes(prompt.trim()))).toBe(true)
  })

  it.each(['GZIP', 'x-gzip', ' gzip '])('is read without regard to case and age: %s', async (coding) => {
    expect(await post(zlib.gzipSync(bodyOf()), { 'content-encoding': coding })).toMatchObject({ status: 200 })
  })

  it('identity is plain', async () => {
    expect(await post(bodyOf(), { 'content-encoding': 'identity' })).toMatchObject({ status: 200 })
  })

  it.each(['zstd', 'compress', 'gzip, gzip', 'nonsense'])('415 for %s', async (coding) => {
    const problem = expectProblem(await post(bodyOf(), { 'content-encoding': coding }), 415, 'unsupported-media-type')
    expect(problem.detail).toContain('gzip')
  })

  it.each(Object.entries(PACKERS))('400 for a %s body that is cut', async (coding, pack) => {
    const packed = pack(bodyOf(5_000))
    const cut = packed.subarray(0, packed.length - 12)
    expectProblem(await post(cut, { 'content-encoding': coding }), 400, 'invalid-request')
  })

  it.each(Object.keys(PACKERS))('400 for a body that is no %s at all', async (coding) => {
    const problem = expectProblem(await post(bodyOf(), { 'content-encoding': coding }), 400, 'invalid-request')
    expect(problem.detail).toMatch(/damaged/)
  })

  it('faults of a client are no faults of ours in the log', () => {
    expect(served.service.lines.filter(({ msg }) => msg === 'internal fault')).toEqual([])
  })
})

describe('server.bodyLimitBytes', () => {
  const tooLong = Buffer.from(bodyOf(LIMIT_BYTES + 1_000))

  it('a body just under it passes', async () => {
    expect(await post(bodyOf(LIMIT_BYTES - 200))).toMatchObject({ status: 200 })
  })

  it('413 for a longer one that says its length, and none of it is held', async () => {
    const held = vi.spyOn(served.service.metrics, 'bodyBytes')
    expectProblem(await post(tooLong), 413, 'body-too-large')
    expect(held).not.toHaveBeenCalled()
    held.mockRestore()
  })

  it('413 for one that does not say its length, however much more the client sends', async () => {
    const piece = Buffer.alloc(64 * 1024, 32)
    for (let time = 0; time < 5; time += 1)
      expectProblem(await postChunked(new Array(200).fill(piece)), 413, 'body-too-large')
  })

  it.each(Object.entries(PACKERS))('413 for a %s body that grows beyond it', async (coding, pack) => {
    const packed = pack(tooLong)
    expect(packed.length).toBeLessThan(LIMIT_BYTES / 10)
    expectProblem(await post(packed, { 'content-encoding': coding }), 413, 'body-too-large')
  })

  it('a body of exactly the limit passes, one byte more does not', async () => {
    const [head, tail] = ['{"systemPrompt":"S.","prompt":"', '"}']
    const exact = `${head}${'x'.repeat(LIMIT_BYTES - head.length - tail.length)}${tail}`
    expect(await post(exact)).toMatchObject({ status: 200 })
    expectProblem(await post(`${exact} `), 413, 'body-too-large')
  })

  it('a connection survives it and serves the next request', async () => {
    const connection = await open(served.url)
    const send = (body: string | Uint8Array) => {
      connection.socket.write(
        `POST /summarize HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      connection.socket.write(body)
    }
    send(tooLong)
    await connection.seen(/^HTTP\/1\.1 413 /)
    send(bodyOf())
    await connection.seen(/HTTP\/1\.1 200 /)
    connection.socket.destroy()
  })
})

describe('a bomb', () => {
  const bomb = zlib.gzipSync(Buffer.alloc(100 * 1024 * 1024), { level: 9 })

  it('is answered 413 before it has been sent whole, and what inflated it is stopped', async () => {
    const inflaters: zlib.Gunzip[] = []
    const create = zlib.createGunzip
    vi.spyOn(zlib, 'createGunzip').mockImplementation((options) => {
      const inflater = create(options)
      inflaters.push(inflater)
      return inflater
    })
    const own = await appOfTest({ config: { server: { bodyLimitBytes: LIMIT_BYTES } } })
    const held = vi.spyOn(own.metrics, 'bodyBytes')
    const connection = await open(await own.listen())
    connection.socket.write(
      `POST /summarize HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
    )
    connection.socket.write(bomb.subarray(0, bomb.length / 2))
    expectProblem(parseAnswer(await connection.seen(/\r\n\r\n[\s\S]*\}$/)), 413, 'body-too-large')
    connection.socket.destroy()
    vi.restoreAllMocks()
    const [inflater] = inflaters
    expect(inflater?.destroyed).toBe(true)
    // 1 MiB of input would be a gigabyte: a few chunks beyond the limit is all that may ever have been read.
    expect(inflater?.bytesWritten).toBeLessThan(20_000)
    const heldBytes = held.mock.calls.reduce((sum, [change]) => sum + Math.max(0, change), 0)
    expect(heldBytes).toBeLessThanOrEqual(LIMIT_BYTES)
  })
})

describe('server.maxInflightBytes', () => {
  const stage = async () => {
    const own = await appOfTest({
      script: ({ body }) => (JSON.stringify(body).includes('hang') ? { hang: true } : { text: 'Fine.' }),
      config: { server: { maxInflightBytes: 10_000 } },
    })
    const base = await own.listen()
    const gauge = async () =>
      (await own.metrics.registry.getSingleMetric('recapd_inflight_body_bytes')?.get())?.values[0]?.value
    const send = (prompt: string) =>
      request(`${base}/summarize`, json({ systemPrompt: 'S.', prompt: prompt.repeat(1_000) }))
    return { own, base, gauge, send }
  }

  it('503 overloaded beyond it, with a hint; the bytes are given back with the answer or the client', async () => {
    const { own, base, gauge, send } = await stage()
    const controller = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ systemPrompt: 'S.', prompt: 'hang '.repeat(1_400) })
    const first = fetch(`${base}/summarize`, { method: 'POST', headers, body, signal: controller.signal })
    await waitUntil(() => own.provider.requests.length === 1, 'the first call began')
    expect(await gauge()).toBe(Buffer.byteLength(body))

    const refused = expectProblem(await send('more '), 503, 'overloaded')
    expect(refused).toMatchObject({ retryable: true, retryAfterMs: expect.any(Number) })
    expect(await waitUntil(async () => (await gauge()) === body.length, 'what was refused is given back')).toBe(true)

    controller.abort()
    await expect(first).rejects.toThrow()
    await waitUntil(async () => (await gauge()) === 0, 'what the client left is given back')
    expect(await send('more ')).toMatchObject({ status: 200 })
    await waitUntil(async () => (await gauge()) === 0, 'what was answered is given back')
  })

  it.each([
    ['a caller that lost patience', { timeouts: { orphanAfterMs: 1 } }, {}, true],
    ['a job', {}, { prefer: 'respond-async' }, false],
  ])('work that outlives its connection holds its bytes until it ends: %s', async (_, config, headers, leaves) => {
    const { promise: letGo, resolve } = Promise.withResolvers<void>()
    const own = await appOfTest({ script: [{ text: 'Fine.', after: letGo }], config })
    const base = await own.listen()
    const gauge = async () =>
      (await own.metrics.registry.getSingleMetric('recapd_inflight_body_bytes')?.get())?.values[0]?.value
    const body = JSON.stringify({ systemPrompt: 'S.', prompt: 'Say something.' })
    const controller = new AbortController()
    const sentRequest = fetch(`${base}/summarize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: controller.signal,
    })
    await waitUntil(() => own.provider.requests.length === 1, 'the call began')
    if (leaves) {
      controller.abort()
      await expect(sentRequest).rejects.toThrow()
    } else expect((await sentRequest).status).toBe(202)
    // Another request goes by: whatever closing would give back is given back by then.
    expect((await fetch(`${base}/readyz`)).status).toBe(200)
    expect(await gauge()).toBe(Buffer.byteLength(body))
    resolve()
    await waitUntil(async () => (await gauge()) === 0, 'what is done is given back')
  })

  it('counts inflated bytes; what is larger than all that may be held can never fit', async () => {
    const { base } = await stage()
    const packed = zlib.gzipSync(JSON.stringify({ systemPrompt: 'S.', prompt: 'x'.repeat(20_000) }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expectProblem(await request(`${base}/summarize`, { headers, body: packed }), 413, 'body-too-large')
  })
})

describe('the structure of a body', () => {
  const stage = async (server: object) => {
    const own = await appOfTest({ config: { server } })
    const base = await own.listen()
    const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
      request(`${base}/check`, { headers: { 'content-type': 'application/json', ...headers }, body })
    return { own, send }
  }
  const listWith = (values: string) => `{"messages":[{"role":"user","content":"x"}],"z":[${values}]}`

  it('413 body-too-complex over server.maxValues, whatever the values are; texts full of brackets are one', async () => {
    const { send } = await stage({ maxValues: 1_000 })
    for (const piece of ['{}', '[]', '1', '"a"', 'null', '{"a":1}']) {
      const values = Array.from({ length: 1_100 }, () => piece).join(',')
      const problem = expectProblem(await send(listWith(values)), 413, 'body-too-complex')
      expect(problem.detail).toContain('1000 values')
    }
    expect(await send(listWith(JSON.stringify('{},[],'.repeat(1_000))))).toMatchObject({ status: 200 })
  })

  it('stops a bomb of values while it is inflated, and gives back what it held', async () => {
    const { own, send } = await stage({})
    const packed = zlib.gzipSync(listWith(Array.from({ length: 4_100_000 }, () => '{}').join(',')))
    expectProblem(await send(packed, { 'content-encoding': 'gzip' }), 413, 'body-too-complex')
    const gauge = own.metrics.registry.getSingleMetric('recapd_inflight_body_bytes')
    await waitUntil(async () => (await gauge?.get())?.values[0]?.value === 0, 'what it held is given back')
  })

  it('400 for what is nested past all sense', async () => {
    const { send } = await stage({})
    for (const levels of [501, 100_000]) {
      const problem = expectProblem(
        await send(listWith('['.repeat(levels) + ']'.repeat(levels))),
        400,
        'invalid-request',
      )
      expect(problem.detail).toContain('500 levels')
    }
    expect(await send(listWith('['.repeat(400) + ']'.repeat(400)))).toMatchObject({ status: 200 })
  })
})

describe('a client that leaves while it sends', () => {
  it('is logged as 499 and as nobody’s fault; its bytes are given back', async () => {
    const own = await appOfTest()
    const connection = await open(await own.listen())
    connection.socket.write(
      'POST /summarize HTTP/1.1\r\nhost: x\r\nx-request-id: left\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"prompt": "half',
    )
    await waitUntil(() => own.lifecycle.inflight === 1, 'the request is under way')
    connection.socket.destroy()
    const line = await waitUntil(() => own.lines.find(({ reqId }) => reqId === 'left'), 'its line')
    expect(line).toMatchObject({ status: 499, route: '/summarize' })
    await waitUntil(() => own.lifecycle.inflight === 0, 'it is over')
    expect(own.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    const gauge = await own.metrics.registry.getSingleMetric('recapd_inflight_body_bytes')?.get()
    expect(gauge?.values[0]?.value).toBe(0)
  })
})
