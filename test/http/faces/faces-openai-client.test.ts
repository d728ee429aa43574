import { createHash } from 'node:crypto'
import OpenAI, { APIError, AuthenticationError, BadRequestError, RateLimitError } from 'openai'
import { describe, expect, it } from 'vitest'
import { appOfFile, appOfTest } from '../../support/build-test-app.ts'
import { type Reply, status } from '../../support/fake-provider.ts'

const LONG = 'Streamed words that make up the whole summary. 🦦 '.repeat(60).trim()
const script = new Map<string, Reply>([
  ['mark-long', { text: LONG }],
  ['mark-fail', status(500)],
  ['mark-refuse', status(400)],
])

const served = appOfFile({
  script: ({ body }) =>
    [...script].find(([mark]) => JSON.stringify(body).includes(mark))?.[1] ?? { text: 'Chat summary.' },
})

const clientOf = (base: string, apiKey = 'sk-of-the-agent') =>
  new OpenAI({ baseURL: `${base}/v1`, apiKey, maxRetries: 0, logLevel: 'off' })
const ask = (content: string, more: object = {}) =>
  clientOf(served.url).chat.completions.create({
    model: 'whatever',
    messages: [{ role: 'user', content }],
    ...more,
  }) as Promise<OpenAI.ChatCompletion>

async function faultOf(promise: Promise<unknown>): Promise<APIError> {
  const fault: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(fault instanceof APIError)) throw new Error('no APIError', { cause: fault })
  return fault
}

describe('the openai SDK', () => {
  it('gets a completion', async () => {
    const completion = await ask('A plain question.')
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'alpha/small',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Chat summary.' } }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    })
    expect(Math.abs(completion.created - Date.now() / 1000)).toBeLessThan(60)
  })

  it('gets a stream of the same words', async () => {
    const stream = await clientOf(served.url).chat.completions.create({
      model: 'whatever',
      messages: [{ role: 'user', content: 'mark-long' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(LONG)
    expect(chunks.length).toBeGreaterThan(3)
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(chunks.findLast(({ choices }) => choices.length > 0)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)?.usage).toMatchObject({ total_tokens: 120 })
  })

  it('gets a stream through its helper', async () => {
    const runner = clientOf(served.url).chat.completions.stream({
      model: 'x',
      messages: [{ role: 'user', content: 'mark-long' }],
    })
    expect((await runner.finalChatCompletion()).choices[0]?.message.content).toBe(LONG)
  })

  it('lists the models', async () => {
    const ids: string[] = []
    for await (const { id, object } of clientOf(served.url).models.list()) {
      expect(object).toBe('model')
      ids.push(id)
    }
    expect(ids.slice(0, 2)).toEqual(['alpha/small', 'alpha/big'])
  })

  it('reads message, code, param and type of a refused request', async () => {
    const fault = await faultOf(ask('', { messages: 'no list' }))
    expect(fault).toBeInstanceOf(BadRequestError)
    expect(fault).toMatchObject({
      status: 400,
      code: 'invalid-request',
      param: '/messages',
      type: 'invalid_request_error',
    })
    expect(fault.message).toMatch(/messages/)
    expect(fault.message).not.toMatch(/no body/)
  })

  it('reads the cause where every model failed, streamed or not', async () => {
    for (const stream of [false, true]) {
      const fault = await faultOf(
        (async () => {
          const answer: unknown = await ask('mark-fail', { stream })
          if (stream) for await (const _ of answer as AsyncIterable<unknown>);
        })(),
      )
      expect(fault).toMatchObject({ code: 'models-failed' })
      expect(fault.message).toMatch(/alpha\/small server_error/)
      if (!stream) expect(fault).toMatchObject({ status: 502 })
    }
  })

  it('does not try again what no retry cures, and does where one may', async () => {
    const patient = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'x', maxRetries: 1, logLevel: 'off' })
    const count = (mark: string) =>
      served.service.lines.filter(({ reqId, msg }) => msg === 'request' && String(reqId).startsWith(mark)).length
    const send = (mark: string) =>
      patient.chat.completions.create(
        { model: 'x', messages: [{ role: 'user', content: mark }] },
        { headers: { 'x-request-id': `${mark}-tries` } },
      )
    expect(await faultOf(send('mark-refuse'))).toMatchObject({ status: 424 })
    expect(count('mark-refuse-tries')).toBe(1)
    expect(await faultOf(send('mark-fail'))).toMatchObject({ status: 502 })
    expect(count('mark-fail-tries')).toBe(2)
  })

  it('reads 401 and 429', async () => {
    const sha256 = createHash('sha256').update('rk_ours').digest('hex')
    const own = await appOfTest({
      config: { auth: { keys: [{ name: 'ours', sha256 }] }, rateLimit: { max: 1, windowMs: 60_000 } },
    })
    const base = await own.listen()
    const create = (client: OpenAI) =>
      client.chat.completions.create({ model: 'x', messages: [{ role: 'user', content: 'P.' }] })
    const unknown = await faultOf(create(clientOf(base, 'rk_wrong')))
    expect(unknown).toBeInstanceOf(AuthenticationError)
    expect(unknown).toMatchObject({ code: 'unauthorized', type: 'authentication_error' })
    await create(clientOf(base, 'rk_ours'))
    const limited = await faultOf(create(clientOf(base, 'rk_ours')))
    expect(limited).toBeInstanceOf(RateLimitError)
    expect(limited).toMatchObject({ code: 'rate-limited', type: 'rate_limit_error' })
    expect(Number(limited.headers?.get('retry-after'))).toBeGreaterThan(0)
  })

  it('may put our key into the path where it can send no header', async () => {
    const sha256 = createHash('sha256').update('rk_ours').digest('hex')
    const own = await appOfTest({ config: { auth: { keys: [{ name: 'ours', sha256 }] } } })
    const client = clientOf(`${await own.listen()}/k/rk_ours`)
    const answer = await client.chat.completions.create({ model: 'x', messages: [{ role: 'user', content: 'P.' }] })
    expect(answer.choices[0]?.message.content).toBe('The parser moved.')
  })
})
