import { describe, expect, it } from 'vitest'
import { sanitizePairs } from '../../../src/domain/dialects/pairs.ts'
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
