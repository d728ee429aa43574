import { describe, expect, it } from 'vitest'
import { detectFormat } from '../../../src/domain/dialects/detect-format.ts'
import { parseMessages } from '../../../src/domain/dialects/parse-messages.ts'
import { RecapdError } from '../../../src/domain/errors.ts'
import { image, says, user } from '../../support/chat-lists.ts'

const use = (id: string): unknown => ({ type: 'tool_use', id, name: 'Read', input: { path: id } })

describe('detectFormat', () => {
  it.each([
    ['openai', [user('hi'), says('there')]],
    ['openai', [user([image()])]],
    ['openai', [{ role: 'assistant', content: null, tool_calls: [] }]],
    [
      'anthropic',
      [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [use('t')] },
      ],
    ],
    ['anthropic', [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] }]],
    [
      'responses',
      [
        { role: 'user', content: 'go' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      ],
    ],
    ['responses', [{ role: 'user', content: [{ type: 'input_text', text: 'go' }] }]],
    ['responses', [{ type: 'message', role: 'user', content: 'go' }]],
    ['openai', []],
  ])('finds %s', (format, messages) => {
    expect(detectFormat(messages)).toBe(format)
  })
})

describe('parseMessages', () => {
  const faultsOf = (messages: unknown, format?: 'openai' | 'anthropic' | 'responses'): readonly string[] => {
    try {
      parseMessages(messages, format)
      return []
    } catch (error) {
      if (!(error instanceof RecapdError)) throw error
      return [error.code, ...(error.extras.errors ?? []).map((fault) => fault.path)]
    }
  }

  it('says where the faults are, all of them', () => {
    expect(faultsOf('none')).toEqual(['invalid-request', '/messages'])
    expect(faultsOf([user('x'), 7, { role: 3 }, null])).toEqual([
      'invalid-request',
      '/messages/1',
      '/messages/2/role',
      '/messages/3',
    ])
    expect(faultsOf([{ role: 'user', content: 7 }], 'anthropic')).toEqual(['invalid-request', '/messages/0/content'])
    expect(faultsOf([{ role: 'assistant', tool_calls: 'x' }])).toEqual(['invalid-request', '/messages/0/tool_calls'])
  })

  it('tolerates what does no harm (bug-log T10)', () => {
    expect(
      faultsOf([
        { role: 'user', content: null },
        { role: 'assistant', content: [] },
        { content: 'x' },
        {},
        { role: 'exit', content: { a: 1 } },
      ]),
    ).toEqual([])
    expect(faultsOf([{ type: 'compaction', content: null }], 'responses')).toEqual([])
  })

  it('never repeats a value of the list', () => {
    expect(() => parseMessages([{ role: ['secret words'] }])).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    )
  })
})
