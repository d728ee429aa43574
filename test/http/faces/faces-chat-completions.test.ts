import { describe, expect, it } from 'vitest'
import { chatCompletionResult } from '../../../src/pipelines/faces/chat-completions-schema.ts'
import { appOfFile } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { status } from '../../support/fake-provider.ts'
import { json, request } from '../../support/raw-http.ts'
import { readEvents } from '../../support/read-events.ts'

const served = appOfFile({
  script: ({ body }) => (JSON.stringify(body).includes('mark-fail') ? status(500) : { text: 'Chat summary.' }),
})

const chat = (body: object, headers: Record<string, string> = {}) =>
  request(`${served.url}/v1/chat/completions`, json(body, headers))
const one = (content: unknown) => ({ messages: [{ role: 'user', content }] })

describe('POST /v1/chat/completions', () => {
  it('answers in the shape it promises', async () => {
    const answer = await chat(one('Shape.'))
    expect(answer.status).toBe(200)
    expect(chatCompletionResult.strict().parse(JSON.parse(answer.body))).toMatchObject({ model: 'alpha/small' })
    expect(answer.headers['x-recapd-cache']).toBe('miss')
  })

  it.each(['gpt-5', 'claude-opus-4', ''])(
    'takes the default chain for a model of the agent’s own: %j',
    async (model) => {
      const answer = await chat({ model, ...one(`Model ${model}.`) })
      expect(JSON.parse(answer.body)).toMatchObject({ model: 'alpha/small' })
    },
  )

  it('takes a configured model by its id', async () => {
    const answer = await chat({ model: 'alpha/big', ...one('Big.') })
    expect(JSON.parse(answer.body)).toMatchObject({ model: 'alpha/big' })
  })

  it('takes null for whatever need not be there', async () => {
    const answer = await chat({ model: null, max_tokens: null, stream: null, ...one('Null.') })
    expect(JSON.parse(answer.body)).toMatchObject({ object: 'chat.completion', model: 'alpha/small' })
  })

  it('tells where the answer came from, streamed or not', async () => {
    await chat(one('Twice.'))
    expect((await chat(one('Twice.'))).headers['x-recapd-cache']).toBe('hit')
    expect((await chat({ stream: true, ...one('Twice.') })).headers['x-recapd-cache']).toBe('hit')
    const fresh = await chat({ stream: true, ...one('Twice.') }, { 'cache-control': 'no-cache' })
    expect(fresh.headers['x-recapd-cache']).toBe('miss')
  })

  it.each([
    ['no messages', {}, '/messages'],
    ['an empty list', { messages: [] }, '/messages'],
    ['a message without role', { messages: [{ content: 'x' }] }, '/messages/0/role'],
    ['a content of numbers', one(5), '/messages/0/content'],
    ['a cap of 0', { max_tokens: 0, ...one('x') }, '/max_tokens'],
    ['only a system prompt', { messages: [{ role: 'system', content: 'x' }] }, '/messages'],
    ['only blank texts', one('  \n '), '/messages'],
    ['only an image', one([{ type: 'image_url', image_url: { url: 'data:,' } }]), '/messages'],
  ])('400 for %s', async (_fault, body, path) => {
    const problem = expectProblem(await chat(body), 400, 'invalid-request')
    expect(problem.errors?.map((fault) => fault.path)).toContain(path)
  })

  it('400 and no stream for a faulty request that asked for one', async () => {
    expectProblem(await chat({ stream: true, messages: [] }), 400, 'invalid-request')
    expectProblem(await chat({ stream: true, messages: [{ role: 'system', content: 'x' }] }), 400, 'invalid-request')
  })
})

describe('a stream of chunks', () => {
  it('ends in [DONE], and is nothing but data lines', async () => {
    const answer = await chat({ stream: true, ...one('Stream.') })
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
    const events = readEvents(answer.body)
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['message']))
    expect(events.at(-1)?.data).toBe('[DONE]')
    for (const { data } of events.slice(0, -1))
      expect(JSON.parse(data)).toMatchObject({ object: 'chat.completion.chunk' })
  })

  it('that failed before its first byte is an ordinary problem', async () => {
    expectProblem(await chat({ stream: true, ...one('mark-fail') }), 502, 'models-failed')
  })
})
