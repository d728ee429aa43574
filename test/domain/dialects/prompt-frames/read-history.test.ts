import { describe, expect, it } from 'vitest'
import { readList } from '../../../../src/domain/dialects/parse-messages.ts'
import { readHistory } from '../../../../src/domain/dialects/prompt-frames/read-history.ts'
import { serialize } from '../../../../src/domain/transcript/serialize.ts'

const REQUEST = 'Please provide a concise summary of our conversation so far.'
const talk = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'port it' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'source' },
  { role: 'assistant', content: 'read' },
]
const TOLD =
  '[User]: port it\n\n[Assistant tool calls]: read(path="a.ts")\n\n[Tool result]: source\n\n[Assistant]: read'
const read = (messages: Parameters<typeof readList>[0]) => {
  const history = readHistory(readList(messages, 'openai').rows)
  return history === null ? null : { ...history, conversation: serialize(history.conversation) }
}

describe('readHistory', () => {
  it.each([
    ['a row of its own', [{ role: 'user', content: REQUEST }]],
    ['a row of parts', [{ role: 'user', content: [{ type: 'text', text: REQUEST }] }]],
    [
      'a row behind which a system row stands',
      [
        { role: 'user', content: REQUEST },
        { role: 'system', content: '' },
      ],
    ],
  ])('takes a request for a summary out of the conversation: %s', (_name, rows) => {
    expect(read([...talk, ...rows])).toEqual({
      conversation: TOLD,
      system: 'You are an agent.',
      instruction: REQUEST,
    })
  })

  it('leaves the pending request that stands in the same row', () => {
    const row = {
      role: 'user',
      content: [
        { type: 'text', text: 'now the tests' },
        { type: 'text', text: REQUEST },
      ],
    }
    expect(read([...talk, row])).toMatchObject({
      conversation: `${TOLD}\n\n[User]: now the tests`,
      instruction: REQUEST,
    })
  })

  it.each([
    ['asks for work', [{ role: 'user', content: 'rename the key file' }], '[User]: rename the key file'],
    [
      'was answered already',
      [
        { role: 'user', content: REQUEST },
        { role: 'assistant', content: 'Here it is.' },
      ],
      `[User]: ${REQUEST}\n\n[Assistant]: Here it is.`,
    ],
    [
      'quotes such a request far behind its beginning',
      [{ role: 'user', content: `fix this prompt: ${'x '.repeat(800)} ${REQUEST}` }],
      `[User]: fix this prompt: ${'x '.repeat(800)} ${REQUEST}`,
    ],
  ])('tells what the user said where it %s', (_name, rows, told) => {
    expect(read([...talk, ...rows])).toMatchObject({ conversation: `${TOLD}\n\n${told}`, instruction: null })
  })

  it.each([
    [[{ role: 'user', content: 'sum this up' }]],
    [
      [
        { role: 'system', content: 'a' },
        { role: 'developer', content: 'b' },
        { role: 'user', content: 'sum it up' },
      ],
    ],
    [[{ role: 'system', content: 'alone' }]],
  ])('is null for a prompt: %j', (messages) => {
    expect(readHistory(readList(messages, 'openai').rows)).toBeNull()
  })
})
