import { describe, expect, it } from 'vitest'
import { toAnthropic } from '../../../src/domain/session/to-anthropic.ts'
import type { LlmMessage } from '../../../src/domain/session/to-llm.ts'

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
