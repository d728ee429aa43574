import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CompletionListener } from '../../../src/models/model.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { textPrompt } from '../../../src/models/prompt.ts'
import { remoteModel } from '../../../src/models/sources/remote.ts'
import { createTransport } from '../../../src/models/transport/transport.ts'
import { fakeProvider, type Reply, status } from '../../support/fake-provider.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const clock = virtualClock()

async function stage(reply: Reply) {
  const provider = await fakeProvider([reply])
  const url = `${provider.url}/summarize`
  const transport = createTransport({ baseUrl: url, maxConcurrency: 1, connectMs: 1000 })
  closers.push(transport.close, provider.close)
  const model = remoteModel({
    id: 'other',
    url,
    transport,
    contextWindow: 128_000,
    clock,
    headers: { 'x-team': 'blue' },
  })
  const request = { system: 'S.', prompt: textPrompt('P.'), maxTokens: 500, deadlineAt: clock.now() + 30_000.7 }
  const ask = (key?: string, signal = new AbortController().signal, listener: CompletionListener = {}) =>
    model.completeWith(key, { ...request, listener }, signal)
  return { provider, ask }
}

describe('remoteModel', () => {
  it('posts the contract of an omp endpoint, the time left, and its key only when it has one', async () => {
    const { provider, ask } = await stage({ json: { summary: 'Fine.' } })
    await ask('key-1')
    await ask()
    const [first, second] = provider.requests
    expect(first?.url).toBe('/v1/summarize')
    expect(first?.body).toEqual({ systemPrompt: 'S.', prompt: 'P.', maxTokens: 500 })
    expect([first?.headers.authorization, first?.headers['x-request-timeout-ms'], first?.headers['x-team']]).toEqual([
      'Bearer key-1',
      '30000',
      'blue',
    ])
    expect(second?.headers.authorization).toBeUndefined()
  })

  it('takes over usage, warnings and degradation, but no attempts of the other side', async () => {
    const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0.5 }
    const attempts = [{ model: 'hidden/x', outcome: 'ok', durationMs: 1 }]
    const { ask } = await stage({
      json: { summary: 'Fine.', usage, degraded: true, warnings: ['Mind this.', 5], attempts },
    })
    expect(await ask()).toMatchObject({
      text: 'Fine.',
      usage,
      degraded: true,
      warnings: ['Mind this.'],
      attempts: [],
      method: 'remote',
    })
  })

  it('tells the whole summary as one delta, and before it that no first token will come', async () => {
    const { ask } = await stage({ json: { summary: 'Fine.' } })
    const heard: string[] = []
    await ask(undefined, undefined, { delta: (text) => heard.push(text) })
    expect(heard).toEqual(['', 'Fine.'])
  })

  it('estimates usage for an endpoint that gives none', async () => {
    const { ask } = await stage({ json: { summary: 'Eight by' } })
    expect((await ask()).usage).toEqual({ inputTokens: 2, outputTokens: 2, costUsd: 0 })
  })

  const problem = (code: number, name: string) =>
    status(code, {}, { status: code, code: name, detail: 'x', attempts: [{ model: 'hidden/x' }] })
  it.each([
    ['empty', { json: { summary: ' \n' } }],
    ['bad_response', { json: { text: 'no summary' } }],
    ['bad_response', { raw: '<html>', contentType: 'text/html' }],
    ['server_error', problem(502, 'models-failed')],
    ['bad_request', problem(424, 'models-unusable')],
    ['overflow', problem(422, 'nothing-fits')],
    ['overflow', problem(413, 'body-too-large')],
    ['auth', problem(401, 'unauthorized')],
    ['rate_limited', problem(429, 'rate-limited')],
    ['server_error', problem(503, 'draining')],
    ['not_found', problem(404, 'not-found')],
    ['network', { reset: true }],
    ['network', { raw: '{"summ', cutAfter: 6 }],
  ] as const)('%s', async (outcome, reply) => {
    const { ask } = await stage(reply)
    const error: unknown = await ask().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ outcome })
    expect(JSON.stringify(error)).not.toContain('hidden')
  })

  it('rethrows the reason of the caller and closes the socket', async () => {
    const { ask, provider } = await stage({ hang: true })
    const controller = new AbortController()
    const reason = new Error('gone')
    const call = ask(undefined, controller.signal)
    call.catch(() => {})
    await vi.waitUntil(() => provider.requests.length > 0, { timeout: 10_000 })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await provider.requests[0]?.over
    expect(provider.requests[0]?.closedEarly).toBe(true)
  })
})
