import { describe, expect, it } from 'vitest'
import { pairResults } from '../../../src/domain/session/pair-results.ts'
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
