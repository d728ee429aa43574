import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../src/domain/dialects/codec.ts'
import { parseMessages } from '../../../src/domain/dialects/parse-messages.ts'
import { RecapdError } from '../../../src/domain/errors.ts'
import { image, says, user } from '../../support/chat-lists.ts'

const use = (id: string): unknown => ({ type: 'tool_use', id, name: 'Read', input: { path: id } })

function problemOf(messages: unknown, format?: Dialect): RecapdError | null {
  try {
    parseMessages(messages, format)
    return null
  } catch (error) {
    if (error instanceof RecapdError) return error
    throw error
  }
}
const faultsOf = (messages: unknown, format?: Dialect): readonly string[] =>
  (problemOf(messages, format)?.extras.errors ?? []).map((fault) => fault.path)

describe('parseMessages', () => {
  it.each<[Dialect, unknown[]]>([
    ['openai', [user('hi'), says('there')]],
    ['openai', [user([image()])]],
    ['openai', [{ role: 'assistant', content: null, tool_calls: [] }]],
    ['openai', []],
    ['openai', [user('go'), { role: 'exit', content: 'done' }]],
    ['anthropic', [user('go'), says([use('t')])]],
    ['anthropic', [user([{ type: 'image', source: { type: 'url', url: 'x' } }])]],
    ['anthropic', [{ role: 'system', content: '' }, user([{ type: 'tool_result', tool_use_id: 't' }])]],
    ['anthropic', [{ type: 'message', role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] }]],
    ['responses', [user('go'), { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }]],
    ['responses', [user([{ type: 'input_text', text: 'go' }])]],
    ['responses', [{ type: 'message', role: 'user', content: 'go' }]],
    [
      'responses',
      [
        { type: 'reasoning', summary: [] },
        { type: 'hologram_call', call_id: 'h' },
      ],
    ],
    ['responses', [user('go'), { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' }]],
    ['responses', [{ type: 'compaction', content: null }]],
    [
      'vercel',
      [user([{ type: 'text', text: 'go' }]), says([{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} }])],
    ],
    ['vercel', [user([{ type: 'image', image: 'QUJD' }])]],
    [
      'vercel',
      [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', output: { type: 'text', value: 'x' } }] }],
    ],
    [
      'gemini',
      [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ function_call: { name: 'f' } }] },
      ],
    ],
    ['bedrock', [user([{ text: 'go' }]), says([{ toolUse: { toolUseId: 't', name: 'f', input: {} } }])]],
    [
      'langchain',
      [
        { type: 'human', content: 'go' },
        { type: 'AIMessageChunk', content: '' },
      ],
    ],
    ['langchain', [{ type: 'human', data: { content: 'go' } }]],
    [
      'langchain',
      [{ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'HumanMessage'], kwargs: { content: 'go' } }],
    ],
  ])('finds %s in %j', (format, messages) => {
    expect(parseMessages(messages).format).toBe(format)
    expect(parseMessages(messages, format).format).toBe(format)
  })

  it.each<[string, unknown, string]>([
    ['no list', 'none', '/messages'],
    ['no object', [user('x'), 7], '/messages/1'],
    ['an unknown role', [user('x'), { role: 3 }], '/messages/1'],
    ['no role and no type', [user('x'), { content: 'x' }], '/messages/1'],
    ['calls that are no list', [{ role: 'assistant', tool_calls: 'x' }], '/messages/0/tool_calls'],
    ['content of no known shape', [user('x'), user({ a: 1 })], '/messages/1/content'],
    ['a part that is none', [user('x'), user(['a', 7])], '/messages/1/content/1'],
    ['an unknown type without an item beside it', [user('x'), { type: 'zebra' }], '/messages/1'],
    ['two dialects', [{ role: 'tool', tool_call_id: 'a', content: 'x' }, says([use('t')])], '/messages/1'],
    ['parts of Gemini behind a plain row', [user('x'), { role: 'user', parts: [{ text: 'y' }] }], '/messages/1'],
    ['parts of an assistant', [{ role: 'assistant', parts: [{ text: 'y' }] }], '/messages/0'],
    [
      'a removal of LangChain',
      [
        { type: 'human', content: 'x' },
        { type: 'remove', id: 'a' },
      ],
      '/messages/1',
    ],
  ])('refuses %s where it stands', (_name, messages, path) => {
    expect(faultsOf(messages)).toEqual([path])
    expect(problemOf(messages)?.code).toBe('invalid-request')
  })

  it('a format that does not fit is refused', () => {
    expect(faultsOf([user(7)], 'anthropic')).toEqual(['/messages/0/content'])
    expect(faultsOf([user('x'), { role: 'tool', tool_call_id: 'a', content: 'r' }], 'vercel')).toEqual(['/messages/1'])
  })

  it('names what is read, and the way out of messages made for the screen', () => {
    const ui = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'SECRET' }] }
    expect(problemOf([ui])?.message).toMatch(/openai, anthropic, vercel, responses.*convertToModelMessages/)
    expect(faultsOf([ui])).toEqual(['/messages/0/parts'])
    expect(problemOf([{ role: 'assistant', content: '', toolInvocations: [] }])?.message).toContain(
      'convertToModelMessages',
    )
    expect(problemOf([user('SECRET'), { body: 'SECRET' }])?.message).not.toContain('SECRET')
  })

  it('tolerates what does no harm (docs/bug-log.md T10)', () => {
    expect(faultsOf([user(null), says([]), { role: 'assistant' }, { role: 'user', content: 'x', extra: {} }])).toEqual(
      [],
    )
  })

  it('names parts of unknown type once, with their number, and says where a pair may hide in one', () => {
    const { unread } = parseMessages([user([{ type: 'sticker', label: 'a' }]), user([{ type: 'sticker', label: 'b' }])])
    expect(unread).toEqual({ warnings: ["unread part 'sticker' (2)"], claimsCall: false })
    const claiming = parseMessages([
      user([
        { type: 'text', text: 'x' },
        { type: 'odd_result', tool_use_id: 't' },
      ]),
    ])
    expect(claiming.unread.claimsCall).toBe(true)
  })

  it('reads a Gemini part by the field that is set: the Python SDK dumps the others as null', () => {
    const dumped = (field: object) => ({ function_call: null, function_response: null, inline_data: null, ...field })
    const { rows } = parseMessages([
      { role: 'user', parts: [dumped({ text: 'go' })] },
      { role: 'model', parts: [dumped({ text: 'On it.' }), dumped({ function_call: { id: null, name: 'ls' } })] },
      {
        role: 'user',
        parts: [dumped({ function_response: { name: 'ls', response: { output: 'a.ts' } }, text: null })],
      },
    ])
    expect(rows.map(({ message }) => [message.role, message.content])).toMatchObject([
      ['user', [{ type: 'text', text: 'go' }]],
      ['assistant', [{ type: 'text', text: 'On it.' }]],
      ['tool', 'a.ts'],
    ])
    const [, answer, result] = rows
    expect(answer?.message.tool_calls).toMatchObject([{ id: result?.message.tool_call_id, function: { name: 'ls' } }])
  })

  it.each<[what: string, part: object]>([
    ['list', { type: 'hologram', dots: Array.from({ length: 300_000 }, () => 0) }],
    [
      'object',
      { type: 'hologram', dots: Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`d${at}`, 0])) },
    ],
  ])('reads an unknown part with more items than a call may have arguments: %s', (_what, part) => {
    expect(parseMessages([user([{ type: 'text', text: 'go' }, part])]).unread.warnings).toEqual([
      "unread part 'hologram' (1)",
    ])
  })
})
