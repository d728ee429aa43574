import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTransport, type Transport } from '../../../src/models/transport/transport.ts'
import { type FakeProvider, fakeProvider, type Script } from '../../support/fake-provider.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function stage(script: Script, maxConcurrency = 1): Promise<{ provider: FakeProvider; transport: Transport }> {
  const provider = await fakeProvider(script)
  const transport = createTransport({ baseUrl: provider.url, maxConcurrency, connectMs: 1000 })
  closers.push(transport.close, provider.close)
  return { provider, transport }
}

const init = (signal = new AbortController().signal, wireBytes = 1_000_000) => ({
  headers: { 'content-type': 'application/json' },
  body: '{}',
  wireBytes,
  signal,
})

describe('createTransport', () => {
  it('hands on status, headers under any case, and the text', async () => {
    const { provider, transport } = await stage([{ status: 418, headers: { 'X-Kind': ['a', 'b'] }, raw: 'Grüße' }])
    const response = await transport.post(`${provider.url}/tea?x=1`, init())
    expect([response.status, response.ok, response.statusText]).toEqual([418, false, "I'm a Teapot"])
    expect([response.headers.get('x-kind'), response.headers.get('X-KIND'), response.headers.get('none')]).toEqual([
      'a, b',
      'a, b',
      null,
    ])
    expect(await response.text()).toBe('Grüße')
    expect(provider.requests[0]?.url).toBe('/v1/tea?x=1')
  })

  it('refuses to carry a key to another origin', async () => {
    const { transport } = await stage([{ raw: '' }])
    expect(() => transport.post('http://127.0.0.1:1/v1', init())).toThrow(TypeError)
  })

  it('knows its origin however the operator spells the host', async () => {
    const { provider, transport } = await stage([{ raw: '' }])
    await (await transport.post(provider.url.replace('http://', 'HTTP://').replace('/v1', '/v1/tea'), init())).text()
    const { port } = new URL(provider.url)
    const spelled = createTransport({ baseUrl: `http://LOCALHOST:${port}/v1`, maxConcurrency: 1, connectMs: 1000 })
    closers.push(spelled.close)
    await (await spelled.post(`http://LOCALHOST:${port}/v1/tea`, init())).text()
    const secure = createTransport({ baseUrl: 'https://127.0.0.1:443/v1', maxConcurrency: 1, connectMs: 1000 })
    closers.push(secure.close)
    await expect(secure.post('https://127.0.0.1:443/v1/tea', init())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(provider.requests.map(({ url }) => url)).toEqual(['/v1/tea', '/v1/tea'])
  })

  it('rejects a call that waits for a connection at once when its caller leaves, and never sends it', async () => {
    const { provider, transport } = await stage([{ hang: true }, { raw: 'x' }])
    const first = new AbortController()
    const hanging = transport.post(provider.url, init(first.signal))
    hanging.catch(() => {})
    await vi.waitUntil(() => provider.requests.length === 1, { timeout: 10_000 })
    const second = new AbortController()
    const queued = transport.post(provider.url, init(second.signal))
    const reason = new Error('left the queue')
    second.abort(reason)
    await expect(queued).rejects.toBe(reason)
    first.abort(new Error('first'))
    await expect(hanging).rejects.toThrow('first')
    await (await transport.post(provider.url, init())).text()
    expect(provider.requests.length).toBe(2)
    expect(getEventListeners(second.signal, 'abort')).toEqual([])
  })

  it('read stops at the sink’s word although the body goes on, and the connection is given up', async () => {
    const { provider, transport } = await stage([{ raw: 'enough, and more', stallAfter: 6 }])
    const response = await transport.post(provider.url, init())
    await response.read((chunk) => chunk.toString() === 'enough')
    await provider.requests[0]?.over
    expect(provider.requests[0]?.closedEarly).toBe(true)
  })

  it('read rejects with what the sink threw, even when the body had ended before', async () => {
    const { provider, transport } = await stage([{ raw: 'bad' }])
    const response = await transport.post(provider.url, init())
    await new Promise((resolve) => setTimeout(resolve, 30))
    const fault = new Error('not what I asked for')
    const reading = response.read(() => {
      throw fault
    })
    await expect(reading).rejects.toBe(fault)
  })

  it('read rejects when the body is cut', async () => {
    const { provider, transport } = await stage([{ raw: 'abcdef', cutAfter: 3 }])
    const response = await transport.post(provider.url, init())
    await expect(response.read(() => false)).rejects.toThrow()
  })

  it('read rejects with the reason of a caller who leaves in the middle of the body, and the socket closes', async () => {
    const { provider, transport } = await stage([{ raw: 'abcdef', stallAfter: 3 }])
    const controller = new AbortController()
    const response = await transport.post(provider.url, init(controller.signal))
    const reason = new Error('gone')
    const reading = response.read(() => {
      queueMicrotask(() => controller.abort(reason))
      return false
    })
    await expect(reading).rejects.toBe(reason)
    await provider.requests[0]?.over
    expect(provider.requests[0]?.closedEarly).toBe(true)
  })

  it('breaks a body off that is larger than wireBytes', async () => {
    const { transport, provider } = await stage([{ raw: 'x'.repeat(3_000) }])
    const fits = await transport.post(provider.url, init(undefined, 3_000))
    expect(await fits.text()).toHaveLength(3_000)
    const larger = await transport.post(provider.url, init(undefined, 2_999))
    await expect(larger.text()).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
  })

  it('reads the beginning of a body where that is enough', async () => {
    const { transport, provider } = await stage([{ raw: 'x'.repeat(3_000) }])
    const response = await transport.post(provider.url, init())
    expect(await response.text(100)).toBe('x'.repeat(100))
  })

  it('close waits for the exchange in flight', async () => {
    const { provider, transport } = await stage([{ raw: 'late', delayMs: 60 }])
    const call = transport.post(provider.url, init()).then((response) => response.text())
    await transport.close()
    closers.shift()
    expect(await call).toBe('late')
  })
})
