import { describe, expect, it } from 'vitest'
import { promptConversation } from '../../../../src/domain/dialects/prompt-frames/prompt-conversation.ts'
import { serialize } from '../../../../src/domain/transcript/serialize.ts'

const lists = {
  openai: [
    { role: 'user', content: 'port it' },
    {
      role: 'assistant',
      content: 'I do',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'source' },
  ],
  anthropic: [
    { role: 'user', content: 'port it' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I do' },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'source' }] },
  ],
}
const TOLD =
  '[User]: port it\n\n[Assistant]: I do\n\n[Assistant tool calls]: read(path="a.ts")\n\n[Tool result]: source'

describe('promptConversation', () => {
  it.each(Object.entries(lists))('reads a JSON list of %s messages', (_name, list) => {
    const conversation = JSON.stringify(list)
    expect(serialize(promptConversation({ conversation }))).toBe(TOLD)
  })

  it('reads labelled blocks', () => {
    expect(serialize(promptConversation({ conversation: TOLD }))).toBe(TOLD)
  })

  it.each([
    [
      'a list of calls behind the words',
      'Human: go\nAI: I edit.[{"name": "edit", "args": {"path": "a.ts"}, "id": "1", "type": "tool_call"}]\nTool: ok',
      '[User]: go\n\n[Assistant]: I edit.\n\n[Assistant tool calls]: edit(path="a.ts")\n\n[Tool result]: ok',
    ],
    [
      'requests and responses written out',
      '[user]: go\n[assistant]: I edit.\ntool_request(edit): {"path":"a.ts"}\n[user]: tool_response: ok\n[assistant]: tool_request(shell): {"command":"ls"}\n[user]: tool_response: x',
      '[User]: go\n\n[Assistant]: I edit.\n\n[Assistant tool calls]: edit(path="a.ts")\n\n[Tool result]: ok\n\n[Assistant tool calls]: shell(command="ls")\n\n[Tool result]: x',
    ],
    [
      'other names for the assistant',
      '[User]: go\n\n[Bot]: I edit.\n\n[Bot tool calls]: edit(path="a.ts")\n\n[Tool result]: ok',
      '[User]: go\n\n[Assistant]: I edit.\n\n[Assistant tool calls]: edit(path="a.ts")\n\n[Tool result]: ok',
    ],
  ])('reads %s', (_name, conversation, told) => {
    expect(serialize(promptConversation({ conversation }))).toBe(told)
  })
})
