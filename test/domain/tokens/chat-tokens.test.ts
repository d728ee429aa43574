import { describe, expect, it } from 'vitest'
import {
  CHAT_ESTIMATOR,
  type ChatMessage,
  chatMessageTokens,
  requestOverhead,
} from '../../../src/domain/tokens/chat-tokens.ts'
import { textQuarters, wireQuarters } from '../../../src/domain/tokens/quarters.ts'
import { vectors } from '../../support/chat-vectors.ts'

interface Estimate {
  readonly input: ChatMessage
  readonly tokens: number
}

describe('messageTokens', () => {
  it.each(['est-text', 'est-image', 'est-tools', 'est-replay'].flatMap((id) => vectors<Estimate>(id)))(
    'estimates %o',
    ({ input, tokens }) => {
      expect(chatMessageTokens(input)).toBe(tokens)
    },
  )

  it('#28053 counts whole envelopes of calls, not their arguments alone', () => {
    const calls = [1, 2, 3, 4].map((n) => ({
      id: `call_${n}`,
      type: 'function',
      function: { name: 'read_file', arguments: '{}' },
    }))
    const content = chatMessageTokens({ role: 'assistant', content: '' })
    expect(chatMessageTokens({ role: 'assistant', content: '', tool_calls: calls })).toBeGreaterThan(3 * content)
  })

  it('#55572 counts hidden replay items', () => {
    const items = [{ type: 'reasoning', encrypted_content: 'A'.repeat(40_000) }]
    expect(
      chatMessageTokens({ role: 'assistant', content: 'ok', codex_reasoning_items: items }),
    ).toBeGreaterThanOrEqual(10_000)
  })

  it('never counts the bytes of an image (docs/bug-log.md B114)', () => {
    const source = { type: 'base64', data: 'A'.repeat(2_000_000) }
    expect(chatMessageTokens({ role: 'user', content: [{ type: 'image', source }] })).toBe(1610)
  })

  it.each([
    ['no object as call', { role: 'assistant', tool_calls: [null, 'x', 7] }, 10],
    ['calls that are no list', { role: 'assistant', tool_calls: 'x' }, 10],
    ['object content', { role: 'tool', content: { a: 1 } }, 12],
    ['number content', { role: 'tool', content: 1234 }, 11],
    ['nothing at all', {}, 10],
  ])('takes %s without throwing', (_name, message, tokens) => {
    expect(chatMessageTokens(message)).toBe(tokens)
  })

  it('measures nesting that the engine itself could not write', () => {
    let deep: unknown = 'x'
    for (let n = 0; n < 200_000; n += 1) deep = [deep]
    expect(wireQuarters(deep)).toBe(400_003)
  })
})

describe('wireQuarters', () => {
  it.each([
    [{ a: 1, b: [true, null, 'x'] }],
    ['ñ "quoted" \\ \n \u0001 😀'],
    [[]],
    [{}],
    [1.5e30],
    [{ a: undefined, b: {} }],
  ])('is the length of JSON with spaced separators: %o', (value) => {
    // Python writes the same separators; none of the samples has a comma or colon inside a string.
    const json = JSON.stringify(value).replaceAll(',', ', ').replaceAll(':', ': ')
    expect(wireQuarters(value)).toBe([...json].length)
  })

  it('counts a lone surrogate as the escape it is written as', () => {
    expect(wireQuarters('\ud83d')).toBe(JSON.stringify('\ud83d').length)
  })
})

describe('requestOverhead', () => {
  it('is system prompt and tools, each rounded up on its own', () => {
    const tools = [{ name: 'f' }]
    expect(requestOverhead({ system: 'abcde', tools })).toBe(2 + Math.ceil(wireQuarters(tools) / 4))
    const system = [
      { type: 'text', text: 'abcd' },
      { type: 'text', text: 'e' },
    ]
    expect(requestOverhead({ system })).toBe(2)
    expect(requestOverhead({})).toBe(0)
  })
})

it('the estimator bears its name in every answer', () => {
  expect(CHAT_ESTIMATOR).toBe('chat-v2')
})

describe('textQuarters', () => {
  it('counts an emoji once and a lone surrogate once', () => {
    expect(textQuarters('a😀b\ud83d')).toBe(4)
  })
})
