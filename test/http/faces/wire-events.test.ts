import { describe, expect, it } from 'vitest'
import { chatStream, geminiStream, messagesStream, responsesStream } from '../../../src/http/faces/face-streams.ts'
import { chatEvents, messageEvents, responseEvents } from '../../../src/http/faces/wire-events.ts'
import {
  chatCompletionOf,
  geminiAnswerOf,
  messageItemOf,
  messageOf,
  responseOf,
} from '../../../src/pipelines/faces/face-answer.ts'

const answer = (text: string) => ({
  requestId: 'r1',
  createdAt: 1_780_000_000_000,
  model: 'alpha/small',
  text,
  usage: { inputTokens: 10, outputTokens: 2, costUsd: 0 },
})
const TEXTS = [['short'], ['x'.repeat(512)], ['🦦'.repeat(700)], ['line\nbreak\r\n'.repeat(200)]]
const request = { id: 'r1', createdAt: 1_780_000_000_000 }
const parsed = (events: readonly { data: string }[]) => events.map(({ data }) => JSON.parse(data))
/** The data lines of spelled events, with their names. */
const read = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => ({ name: /^event: (.*)$/m.exec(frame)?.[1], data: /^data: (.*)$/m.exec(frame)?.[1] ?? '' }))

describe('events of an answer say the whole text and cut no character', () => {
  it.each(TEXTS)('chatEvents: %s', (text) => {
    const chunks = chatEvents(chatCompletionOf(answer(text)))
    expect(chunks.at(-1)).toEqual({ data: '[DONE]' })
    const pieces = parsed(chunks.slice(0, -1)).map(({ choices }) => choices[0].delta.content ?? '')
    expect(pieces.join('')).toBe(text)
    expect(pieces.every((piece: string) => piece.isWellFormed())).toBe(true)
  })

  it.each(TEXTS)('messageEvents: %s', (text) => {
    const events = parsed(messageEvents(messageOf(answer(text))))
    const pieces = events.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta.text)
    expect(pieces.join('')).toBe(text)
    expect(pieces.every((piece: string) => piece.isWellFormed())).toBe(true)
  })

  it.each(TEXTS)('responseEvents: %s', (text) => {
    const events = responseEvents(responseOf(answer(text), [messageItemOf(answer(text))]))
    const pieces = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event['delta']] : []))
    expect(pieces.join('')).toBe(text)
  })
})

it('chatEvents begin with the role and end with the reason and the usage', () => {
  const chunks = parsed(chatEvents(chatCompletionOf(answer('Fine.'))).slice(0, -1))
  expect(chunks[0].choices[0].delta).toEqual({ role: 'assistant', content: '' })
  expect(chunks.at(-1)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { total_tokens: 12 } })
  expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['chatcmpl-r1']))
})

it("messageEvents stand in Anthropic's order", () => {
  expect(messageEvents(messageOf(answer('Fine.'))).map(({ name }) => name)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
})

describe('responsesStream', () => {
  const item = { type: 'compaction', id: 'cmp_r1', encrypted_content: 'recapd1.x' }
  const json = JSON.stringify(responseOf(answer(''), [item]))

  it('numbers its events, begins with response.created and says one compaction item once', () => {
    const stream = responsesStream(request)
    const events = read(stream.answer(json)).map(({ name, data }) => ({ name, ...JSON.parse(data) }))
    expect(events.map(({ name }) => name)).toEqual([
      'response.created',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map((event) => event.sequence_number)).toEqual([0, 1, 2, 3])
    expect(events.at(-1).response.output).toEqual([item])
  })

  it('beats with response.in_progress, created only once before', () => {
    const stream = responsesStream(request)
    const names = [stream.heartbeat(), stream.heartbeat(), stream.answer(json)].flatMap(read).map(({ name }) => name)
    expect(names.slice(0, 4)).toEqual([
      'response.created',
      'response.in_progress',
      'response.in_progress',
      'response.output_item.added',
    ])
  })
})

it.each([
  ['chat', chatStream, undefined, { error: { message: 'All failed.' } }],
  ['messages', messagesStream, 'error', { type: 'error', error: { type: 'api_error', message: 'All failed.' } }],
  [
    'responses',
    responsesStream,
    'response.failed',
    { response: { status: 'failed', error: { message: 'All failed.' } } },
  ],
  ['gemini', geminiStream, undefined, { error: { code: 502, message: 'All failed.' } }],
])('a failure on the %s wire is no finished answer', (_wire, streams, name, shape) => {
  const problem = {
    detail: 'All failed.',
    code: 'models-failed' as const,
    status: 502,
    title: 'Every model failed',
    type: '/problems/models-failed',
    instance: 'urn:request:r1',
    retryable: true,
    error: { message: 'All failed.', type: 'server_error', code: 'models-failed', param: null },
  }
  const last = read(streams(request).failure(problem)).at(-1)
  expect(last?.name).toBe(name)
  expect(JSON.parse(last?.data ?? '')).toMatchObject(shape)
})

it('geminiStream sends one event with everything', () => {
  const json = JSON.stringify(geminiAnswerOf(answer('Fine.')))
  expect(read(geminiStream(request).answer(json))).toEqual([{ name: undefined, data: json }])
})
