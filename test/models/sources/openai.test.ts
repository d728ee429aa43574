import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock as clock } from '../../../src/models/clock.ts'
import type { CompletionRequest } from '../../../src/models/model.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { spelledPrompt, textPrompt } from '../../../src/models/prompt.ts'
import { type OpenaiModelOptions, openaiModel } from '../../../src/models/sources/openai.ts'
import { createTransport } from '../../../src/models/transport/transport.ts'
import { completion, type FakeProvider, fakeProvider, type Script, status } from '../../support/fake-provider.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function stage(script: Script, options: Partial<OpenaiModelOptions> = {}) {
  const provider = await fakeProvider(script)
  const transport = createTransport({ baseUrl: provider.url, maxConcurrency: 2, connectMs: 1000 })
  closers.push(transport.close, provider.close)
  const model = openaiModel({
    id: 'alpha/small',
    name: 'small',
    baseUrl: provider.url,
    transport,
    contextWindow: 128_000,
    maxOutputTokens: 4000,
    clock,
    ...options,
  })
  const ask = (request: Partial<CompletionRequest> = {}, signal = new AbortController().signal) =>
    model.completeWith(
      'key-1',
      { system: 'S.', prompt: textPrompt('P.'), deadlineAt: clock.now() + 60_000, ...request },
      signal,
    )
  return { provider, model, ask }
}

/** The failure as [outcome, status]. */
async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ModelError)) throw new Error('The call did not fail as a ModelError', { cause: error })
  return error
}

const bodyOf = (provider: FakeProvider, index = 0) => provider.requests[index]?.body ?? {}

describe('openaiModel on the wire', () => {
  it('sends model, prompts, cap and the request for usage, and nothing else', async () => {
    const { provider, ask } = await stage([completion('Fine.')])
    await ask({ maxTokens: 777 })
    expect(provider.requests[0]?.url).toBe('/v1/chat/completions')
    expect(provider.requests[0]?.headers.authorization).toBe('Bearer key-1')
    expect(bodyOf(provider)).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'S.' },
        { role: 'user', content: 'P.' },
      ],
      max_tokens: 777,
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(Object.keys(provider.requests[0]?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([])
  })

  it('sends a prompt as its caller spelled it, and every later wording as it is', async () => {
    const { provider, ask } = await stage([completion('Fine.')])
    const spelled = spelledPrompt(Buffer.from(String.raw`"\u00e9!"`))
    await ask({ prompt: spelled })
    await ask({ prompt: textPrompt(`${spelled.text} Briefly.`) })
    expect(provider.requests.map(({ text }) => /"user","content":(".*?")/.exec(text)?.[1])).toEqual([
      String.raw`"\u00e9!"`,
      '"é! Briefly."',
    ])
    expect(bodyOf(provider)).toMatchObject({ model: 'small', max_tokens: 4000, stream: true })
  })

  it('leaves an empty system prompt and a missing key away', async () => {
    const { provider, model } = await stage([completion('Fine.')])
    const request = { system: '', prompt: textPrompt('P.'), deadlineAt: clock.now() + 60_000 }
    await model.completeWith(undefined, request, new AbortController().signal)
    expect(bodyOf(provider)['messages']).toEqual([{ role: 'user', content: 'P.' }])
    expect(provider.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('clamps the cap to the model, and asks for 16384 at most when the caller does not say', async () => {
    const small = await stage([completion('Fine.')])
    await small.ask({ maxTokens: 50_000 })
    expect(bodyOf(small.provider)['max_tokens']).toBe(4000)
    const large = await stage([completion('Fine.')], { maxOutputTokens: 100_000 })
    await large.ask()
    expect(bodyOf(large.provider)['max_tokens']).toBe(16_384)
    const unknown = await stage([completion('Fine.')], { maxOutputTokens: undefined, contextWindow: 4096 })
    await unknown.ask()
    expect(bodyOf(unknown.provider)['max_tokens']).toBe(2048)
  })

  it('sends reasoning effort, extra headers and the trace as it is handed down', async () => {
    const { provider, ask } = await stage([completion('Fine.')], {
      reasoningEffort: 'low',
      headers: { 'x-team': 'blue' },
    })
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    await ask({ traceparent: `00-${trace}-00f067aa0ba902b7-01` })
    await ask()
    expect(bodyOf(provider)['reasoning_effort']).toBe('low')
    expect(provider.requests[0]?.headers['x-team']).toBe('blue')
    expect(provider.requests[0]?.headers['traceparent']).toBe(`00-${trace}-00f067aa0ba902b7-01`)
    expect(provider.requests[1]?.headers['traceparent']).toBeUndefined()
  })

  it('uses the cap name of the configuration', async () => {
    const { provider, ask } = await stage([completion('Fine.')], { tokenParameter: 'max_completion_tokens' })
    await ask({ maxTokens: 5 })
    expect([bodyOf(provider)['max_completion_tokens'], bodyOf(provider)['max_tokens']]).toEqual([5, undefined])
  })
})

describe('openaiModel with a provider of another dialect', () => {
  const refuse = (message: string) => status(400, {}, { error: { message, type: 'invalid_request_error' } })

  it('switches the name of the cap once and remembers it', async () => {
    const words =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    const { provider, ask } = await stage([refuse(words), completion('Fine.')])
    expect((await ask({ maxTokens: 9 })).text).toBe('Fine.')
    await ask({ maxTokens: 9 })
    expect(provider.requests.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])).toEqual([
      [9, undefined],
      [undefined, 9],
      [undefined, 9],
    ])
  })

  it('drops stream_options, then stream, each when it is refused', async () => {
    const { provider, ask } = await stage([
      refuse('Unknown parameter: stream_options'),
      refuse('This model does not support streaming'),
      completion('Fine.'),
    ])
    expect((await ask()).text).toBe('Fine.')
    expect(provider.requests.map(({ body }) => [body['stream'], 'stream_options' in body])).toEqual([
      [true, true],
      [true, false],
      [undefined, false],
    ])
  })

  it('says at once that no first token will come where streaming is refused', async () => {
    const { ask } = await stage([refuse('stream is not supported'), completion('Fine.', { delayMs: 20 })])
    const heard: string[] = []
    await ask({ listener: { delta: (text) => heard.push(text) } })
    expect(heard).toEqual(['', 'Fine.'])
  })

  it('gives up after both names are refused, and forgets what did not help', async () => {
    const { provider, ask } = await stage([refuse('max_tokens and max_completion_tokens are not supported')])
    expect((await failure(ask())).outcome).toBe('bad_request')
    expect(provider.requests.length).toBe(2)
    await failure(ask())
    expect('max_tokens' in bodyOf(provider, 2)).toBe(true)
  })

  it('takes an overflow that names max_tokens for what it is', async () => {
    const { provider, ask } = await stage([refuse('input length and `max_tokens` exceed context limit: 1 + 2 > 2')])
    expect((await failure(ask())).outcome).toBe('overflow')
    expect(provider.requests.length).toBe(1)
  })
})

describe('openaiModel answers', () => {
  const forms = [
    ['streamed', false],
    ['as JSON', true],
  ] as const

  it.each(forms)('gives text, usage and cost (%s)', async (_form, ignoreStream) => {
    const usage = { prompt_tokens: 2000, completion_tokens: 500 }
    const price = { input: 0.25, output: 2 }
    const { ask } = await stage([completion('Grüße, 世界 🌍 and more of it.', { usage, ignoreStream })], { price })
    const answer = await ask()
    expect(answer).toMatchObject({ text: 'Grüße, 世界 🌍 and more of it.', model: 'alpha/small', method: 'model' })
    expect(answer.usage).toEqual({ inputTokens: 2000, outputTokens: 500, costUsd: (2000 * 0.25 + 500 * 2) / 1e6 })
  })

  it.each(forms)('estimates usage where the provider says none (%s)', async (_form, ignoreStream) => {
    const { ask } = await stage([completion('Eight by', { usage: null, ignoreStream })])
    expect((await ask({ system: 'abcd', prompt: textPrompt('abcdefgh') })).usage).toEqual({
      inputTokens: 3,
      outputTokens: 2,
      costUsd: 0,
    })
  })

  const call = {
    content: null,
    tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'ls', arguments: '{}' } }],
  }
  const rows = forms.flatMap(([form, ignoreStream]) =>
    (
      [
        ['empty', 'blank', { text: ' \n\t' }],
        ['empty', 'reasoning alone', { text: '', reasoning: 'hm' }],
        ['empty', 'a tool call alone', { text: '', message: call, finishReason: 'tool_calls' }],
        ['truncated', 'blank and cut: reasoning ate the budget', { text: '', reasoning: 'hm', finishReason: 'length' }],
        ['truncated', 'cut', { text: 'It began', finishReason: 'length' }],
        ['refused', 'a content filter', { text: 'Half', finishReason: 'content_filter' }],
        ['refused', 'a refusal', { text: '', message: { refusal: 'I cannot help with that.' } }],
        ['overflow', 'z.ai', { text: '', finishReason: 'model_context_window_exceeded' }],
        ['server_error', 'OpenRouter mid-way', { text: 'Half', finishReason: 'error' }],
      ] as const
    ).map(([outcome, name, reply]) => [outcome, name, form, { ...reply, ignoreStream }] as const),
  )
  it.each(rows)('%s: %s (%s)', async (outcome, _name, _form, reply) => {
    const { ask } = await stage([reply])
    expect(await failure(ask())).toMatchObject({ outcome, facts: { status: 200 } })
  })

  it('keeps the text of a cut answer, so that the second one can be taken', async () => {
    const { ask } = await stage([completion('It began', { finishReason: 'length' })])
    expect((await failure(ask())).facts.partial).toMatchObject({ text: 'It began', truncated: true })
  })

  it('takes a stream that ends in [DONE] as complete although it gave no reason', async () => {
    const raw = 'data: {"choices":[{"delta":{"content":"Fine."}}]}\n\ndata: [DONE]\n\n'
    const { ask } = await stage([{ raw, contentType: 'text/event-stream' }])
    expect((await ask()).text).toBe('Fine.')
  })

  it('reads text parts and ignores thinking parts', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'Fine.' },
    ]
    const { ask } = await stage([{ json: { choices: [{ message: { content }, finish_reason: 'stop' }] } }])
    expect((await ask()).text).toBe('Fine.')
  })

  it.each([
    ['empty', 'no choices', { json: { id: 'x', choices: [] } }],
    ['bad_response', 'a page of HTML', { raw: '<!doctype html><h1>Sign in</h1>', contentType: 'text/html' }],
    ['bad_response', 'cut JSON', { raw: '{"choices":[{"mess' }],
    ['bad_response', 'no body', { raw: '' }],
    ['network', 'a connection cut inside the JSON', { raw: '{"choices":[{"mess', cutAfter: 9 }],
    [
      'server_error',
      'a 200 with an error object',
      { json: { error: { message: 'Overloaded', type: 'overloaded_error' } } },
    ],
    [
      'overflow',
      'a 200 whose error is an overflow',
      { json: { error: { code: 'context_length_exceeded', message: '' } } },
    ],
    ['bad_response', 'an event that is no JSON', { raw: 'data: {"choi\n\n', contentType: 'text/event-stream' }],
    [
      'rate_limited',
      'an error in the stream',
      {
        raw: 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {"error":{"message":"x","code":429}}\n\n',
        contentType: 'text/event-stream',
      },
    ],
    [
      'overflow',
      'a named error event (Bedrock)',
      {
        raw: 'event: validationException\ndata: {"message":"Input is too long for requested model."}\n\n',
        contentType: 'text/event-stream',
      },
    ],
    [
      'network',
      'a stream that ends in the middle',
      { raw: 'data: {"choices":[{"delta":{"content":"Half"}}]}\n\n', contentType: 'text/event-stream' },
    ],
    [
      'network',
      'a stream whose connection is cut',
      {
        raw: 'data: {"choices":[{"delta":{"content":"Half"}}]}\n\ndata: {"cho',
        contentType: 'text/event-stream',
        cutAfter: 55,
      },
    ],
    ['network', 'a reset connection', { reset: true }],
    ['rate_limited', '429', status(429, { 'retry-after': '3' })],
    ['overflow', '413 without a body', { status: 413, raw: '' }],
    [
      'bad_request',
      'Mistral: no error object, yet words',
      status(400, {}, { object: 'error', message: 'bad temperature' }),
    ],
    ['not_found', 'a redirect is not followed', { status: 302, raw: '', headers: { location: 'http://127.0.0.1:9/' } }],
  ] as const)('%s: %s', async (outcome, _name, reply) => {
    const { ask, provider } = await stage([reply])
    expect((await failure(ask())).outcome).toBe(outcome)
    expect(provider.requests.length).toBe(1)
  })

  it('a closed port is a network fault', async () => {
    const { ask, provider } = await stage([completion('x')])
    await provider.close()
    closers.pop()
    expect((await failure(ask())).outcome).toBe('network')
  })

  it('carries the hint of a 429, and the words of the provider for the log alone', async () => {
    const { ask } = await stage([status(429, { 'retry-after': '3' }, { error: { message: 'secret words of key-1' } })])
    const error = await failure(ask())
    expect(error.facts).toMatchObject({ status: 429, retryAfterMs: 3000, said: { message: 'secret words of [key]' } })
    expect(JSON.stringify([error.message, error.cause ?? null])).not.toContain('secret')
  })

  it.each([
    ['in one piece', { ignoreStream: true }],
    ['streamed', {}],
  ])('an answer %s is read to eight times what was asked for, at four bytes a token', async (_how, more) => {
    const words = (bytes: number) => completion('ä'.repeat(bytes / 2), more)
    const { ask } = await stage([words(65_536), words(65_538), words(96_000), words(96_002)])
    expect((await ask({ maxTokens: 100 })).text).toHaveLength(32_768)
    expect((await failure(ask({ maxTokens: 100 }))).outcome).toBe('bad_response')
    expect((await ask({ maxTokens: 3000 })).text).toHaveLength(48_000)
    expect((await failure(ask({ maxTokens: 3000 }))).outcome).toBe('bad_response')
  })

  it.each(['{"error":{"message":"the field', '<html>Bad request</html>', '\uFFFD\uFFFD'])(
    'a 400 that cannot be read is a bad request: %s',
    async (raw) => {
      const { ask } = await stage([{ status: 400, raw }])
      expect((await failure(ask())).outcome).toBe('bad_request')
    },
  )

  it.each(['application/json', 'text/plain', 'application/octet-stream'])(
    'reads a stream that calls itself %s',
    async (type) => {
      const chunk = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
      const raw = `${chunk({ content: 'Fi' }, null)}${chunk({ content: 'ne.' }, 'stop')}data: [DONE]\n\n`
      const { ask } = await stage([{ raw, headers: { 'content-type': type } }])
      expect((await ask()).text).toBe('Fine.')
    },
  )

  it('reads one JSON completion that calls itself a stream', async () => {
    const raw = JSON.stringify({ choices: [{ message: { content: 'Fine.' }, finish_reason: 'stop' }] })
    const { ask } = await stage([{ raw, headers: { 'content-type': 'text/event-stream' } }])
    expect((await ask()).text).toBe('Fine.')
  })
})

describe('openaiModel and a prompt that was cut silently', () => {
  const prompt = 'Some words of a long history. '.repeat(1500) // 11 250 tokens by estimate

  it.each([
    ['overflow', 'a count like a window, under half of what was sent', 4096],
    ['ok', 'a count over half of the estimate', 6000],
    ['ok', 'a count too small to be a window', 100],
  ])('%s: %s', async (outcome, _name, count) => {
    const { ask } = await stage([completion('Fine.', { usage: { prompt_tokens: count, completion_tokens: 2 } })])
    const answer = ask({ prompt: textPrompt(prompt) })
    if (outcome === 'ok') expect((await answer).usage.inputTokens).toBe(count)
    else expect((await failure(answer)).outcome).toBe(outcome)
  })
})

describe('openaiModel listening and leaving', () => {
  it('tells the text as it comes, and reasoning as an empty delta', async () => {
    const { ask } = await stage([completion('One two', { reasoning: 'hm', chunks: ['One', ' two'] })])
    const heard: string[] = []
    await ask({ listener: { delta: (text) => heard.push(text) } })
    expect(heard).toEqual(['', 'One', ' two'])
  })

  it.each([
    ['before the answer', { hang: true }],
    [
      'in the middle of a stream',
      {
        raw: 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: ',
        contentType: 'text/event-stream',
        stallAfter: 50,
      },
    ],
    ['in the middle of a JSON answer', { raw: '{"choices":[', stallAfter: 9 }],
  ])('closes the upstream socket when the caller leaves %s', async (_name, reply) => {
    const { ask, provider } = await stage([reply])
    const controller = new AbortController()
    const call = ask({}, controller.signal)
    const reason = new Error('the client left')
    call.catch(() => {})
    await vi.waitUntil(() => provider.requests.length > 0, { timeout: 10_000 })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await provider.requests[0]?.over
    expect(provider.requests[0]?.closedEarly).toBe(true)
  })

  it('sends nothing when the caller has left already', async () => {
    const { ask, provider } = await stage([completion('x')])
    const reason = new Error('gone')
    await expect(ask({}, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(provider.requests.length).toBe(0)
  })

  it('leaves no listener on the signal, whatever the answer was', async () => {
    const { ask } = await stage([
      completion('x'),
      completion('x', { ignoreStream: true }),
      status(500),
      { reset: true },
      { text: '' },
    ])
    const { signal } = new AbortController()
    for (let i = 0; i < 5; i += 1) await ask({}, signal).catch(() => {})
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('keeps its connections alive, and never opens more than maxConcurrency', async () => {
    const { ask, provider } = await stage([completion('x')])
    for (let i = 0; i < 4; i += 1) await Promise.all([ask(), ask(), ask()])
    expect(provider.connections()).toBeLessThanOrEqual(2)
    expect(provider.requests.length).toBe(12)
  })
})
