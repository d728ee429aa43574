import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../src/domain/dialects/codec.ts'
import { CODECS } from '../../../src/domain/dialects/codecs.ts'
import { pairsHold, sanitizePairs } from '../../../src/domain/dialects/pairs.ts'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { serialize } from '../../../src/domain/transcript/serialize.ts'
import { call, calling, image, result, rowsOf, user } from '../../support/chat-lists.ts'

describe('rowsToConversation', () => {
  it('names images, calls and unknown parts, and tells no native reasoning', () => {
    const rows = rowsOf([
      user([
        { type: 'text', text: 'see' },
        image(),
        { type: 'image_url', image_url: { url: 'https://a.b/c.png' } },
        { type: 'file' },
      ]),
      {
        role: 'assistant',
        content: '<think>\nsecret\n</think>\nreading',
        reasoning_content: 'hidden',
        tool_calls: [call('a', 'read', { path: 'x' })],
      },
      { ...result('a', 'Error: no such file'), name: 'read' },
      { role: 'exit', content: 'bye' },
    ])
    expect(serialize(rowsToConversation(rows))).toBe(
      '[User]: see\n[image]\n[image: https://a.b/c.png]\n[file]\n\n[Assistant]: reading\n\n[Assistant tool calls]: read(path="x")\n\n[Tool error]: Error: no such file\n\n[System notice]: EXIT: bye',
    )
  })

  it('tells calls nobody answered as interrupted (docs/bug-log.md B020)', () => {
    const { rows } = sanitizePairs(rowsOf([calling('a', 'b'), result('a'), calling('c'), user('stop')]))
    const text = serialize(rowsToConversation(rows))
    expect(text.match(/^\[Tool error\]: shell: interrupted, no result$/gm)).toHaveLength(2)
    expect(text).not.toContain('tool call without result')
  })
})

const approval = (approved: boolean, output: unknown) => [
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'p', toolName: 'writeFile', input: { path: 'x' } },
      { type: 'tool-approval-request', approvalId: 'ap', toolCallId: 'p' },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'ap', approved }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'p', toolName: 'writeFile', output }] },
]

it.each<[what: string, dialect: Dialect, messages: Record<string, unknown>[], told: string]>([
  ['a refusal', 'openai', [{ role: 'assistant', content: null, refusal: 'I will not' }], '[Assistant]: I will not'],
  [
    'what was spoken',
    'openai',
    [{ role: 'assistant', content: null, audio: { id: 'a', transcript: 'spoken' } }],
    '[Assistant]: spoken',
  ],
  [
    'the one call of function_call',
    'openai',
    [
      { role: 'assistant', content: null, function_call: { name: 'bash', arguments: '{"command":"rm a"}' } },
      { role: 'function', name: 'bash', content: 'gone' },
    ],
    '[Assistant tool calls]: bash(command="rm a")\n\n[Tool result]: gone',
  ],
  [
    'the prompt of a picture',
    'responses',
    [{ type: 'image_generation_call', id: 'i', result: 'QUJD', revised_prompt: 'a red crane' }],
    '[Assistant tool calls]: image_generation(input="a red crane")\n\n[Tool result]: [image]',
  ],
  [
    'several actions of a computer call, found tools',
    'responses',
    [
      { type: 'computer_call', call_id: 'k', actions: [{ type: 'type', text: 'hello' }] },
      { type: 'computer_call_output', call_id: 'k', output: 'typed' },
      { type: 'tool_search_call', call_id: 't', arguments: { query: 'crane' } },
      { type: 'tool_search_output', call_id: 't', tools: [{ name: 'lift_crane' }] },
    ],
    '[Tool result]: lift_crane',
  ],
  [
    'the text of a fetched page',
    'anthropic',
    [
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's', name: 'web_fetch', input: { url: 'https://a.b' } },
          {
            type: 'web_fetch_tool_result',
            tool_use_id: 's',
            content: {
              type: 'web_fetch_result',
              content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'the page' } },
            },
          },
        ],
      },
    ],
    'the page',
  ],
  ['an approved call', 'vercel', approval(true, { type: 'text', value: 'ok' }), '[Tool result]: ok'],
  [
    "the user's reason for a denial",
    'vercel',
    approval(false, { type: 'execution-denied', reason: 'never there' }),
    'The user rejected the call: never there',
  ],
])('tells %s (%s)', (_, dialect, messages, told) => {
  const rows = CODECS[dialect].read(messages)
  expect(pairsHold(rows)).toBe(true)
  expect(serialize(rowsToConversation(rows))).toContain(told)
  expect(CODECS[dialect].write(rows as never, [])).toEqual(messages)
})
