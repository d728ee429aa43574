import { describe, expect, it } from 'vitest'
import { pairResults } from '../../../src/domain/session/pair-results.ts'
import { toAnthropic } from '../../../src/domain/session/to-anthropic.ts'
import type { LlmMessage } from '../../../src/domain/session/to-llm.ts'
import { toOpenAi } from '../../../src/domain/session/to-openai.ts'

const user = (text: string): LlmMessage => ({ role: 'user', content: text })
const call = (...ids: readonly string[]): LlmMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'toolCall', id, name: 'ls', arguments: { p: id } })),
})
const result = (id: string, text = id, isError = false): LlmMessage => ({
  role: 'toolResult',
  toolCallId: id,
  content: [{ type: 'text', text }],
  isError,
})
const shape = (messages: readonly LlmMessage[]) =>
  messages.map((message) => `${message.role}:${message.toolCallId ?? ''}`)

describe('pairResults', () => {
  it.each([
    [
      'moves results directly behind their calls',
      [call('a', 'b'), result('b'), user('x'), result('a')],
      ['assistant:', 'toolResult:a', 'toolResult:b', 'user:'],
    ],
    ['answers a call that was interrupted', [call('a'), user('x')], ['assistant:', 'toolResult:a', 'user:']],
    ['tells an orphan as text', [result('z'), user('x')], ['user:', 'user:']],
    ['tells a second result as text', [call('a'), result('a'), result('a')], ['assistant:', 'toolResult:a', 'user:']],
    [
      'knows ids that come again in a later turn',
      [call('a'), result('a', '1'), call('a'), result('a', '2')],
      ['assistant:', 'toolResult:a', 'assistant:', 'toolResult:a'],
    ],
    ['pairs ids that one side padded', [call(' a'), result('a ')], ['assistant:', 'toolResult:a ']],
  ])('%s', (_name, messages, expected) => {
    expect(shape(pairResults(messages))).toEqual(expected)
  })
})

describe('toOpenAi', () => {
  it('writes calls, results and images the way chat completions take them', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const blob = { ...image, data: 'blob:sha256:00' }
    const messages: LlmMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'see' }, image, blob] },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'ok' }, ...partsOfCall('c')],
      },
      { ...result('c'), content: [{ type: 'text', text: 'out' }, image] },
      { role: 'assistant', content: [], stopReason: 'aborted' },
    ]
    expect(toOpenAi(messages)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: '[image]' },
        ],
      },
      {
        role: 'assistant',
        content: 'ok',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'ls', arguments: '{"p":"c"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'out[image]' },
    ])
  })

  it('gives a call without text a null content', () => {
    expect(toOpenAi([call('a'), result('a')])[0]).toMatchObject({ role: 'assistant', content: null })
  })
})

describe('toAnthropic', () => {
  it('merges adjacent rows of one role, results of parallel calls included', () => {
    const rows = toAnthropic([
      user('a'),
      user('b'),
      call('x', 'y'),
      result('x', 'ok'),
      result('y', 'bad', true),
      user('c'),
    ])
    expect(rows.map((row) => row.role)).toEqual(['user', 'assistant', 'user'])
    expect(rows[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'ok' }] },
      { type: 'tool_result', tool_use_id: 'y', content: [{ type: 'text', text: 'bad' }], is_error: true },
      { type: 'text', text: 'c' },
    ])
  })

  it.each([
    ['signed by Anthropic', 'anthropic-messages', [{ type: 'thinking', thinking: 'hm', signature: 's' }]],
    ['signed by another', 'openai-responses', []],
  ])('sends back thinking only when it was %s', (_name, api, thinking) => {
    const message: LlmMessage = {
      role: 'assistant',
      api,
      content: [
        { type: 'thinking', thinking: 'hm', thinkingSignature: 's' },
        { type: 'text', text: 'ok' },
      ],
    }
    expect(toAnthropic([message])[0]?.content).toEqual([...thinking, { type: 'text', text: 'ok' }])
  })

  it('leaves out empty rows', () => {
    expect(toAnthropic([user(''), { role: 'assistant', content: [] }])).toEqual([])
  })
})

function partsOfCall(id: string): readonly unknown[] {
  return Array.isArray(call(id).content) ? (call(id).content as readonly unknown[]) : []
}
