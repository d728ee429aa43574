import { describe, expect, it } from 'vitest'
import { messagesToConversation } from '../../../src/domain/session/messages-to-conversation.ts'
import { serialize } from '../../../src/domain/transcript/serialize.ts'

const wrappers = {
  compactionSummary: (text: string) => `earlier: ${text}`,
  branchSummary: (text: string) => `branch: ${text}`,
}
const image = { type: 'image', data: 'QUJD', mimeType: 'image/png' }

function told(messages: Parameters<typeof messagesToConversation>[0]): string {
  return serialize(messagesToConversation(messages, wrappers))
}

describe('messagesToConversation', () => {
  it('orders thinking, text and calls whatever the order of the parts', () => {
    const message = {
      role: 'assistant',
      content: [
        { type: 'toolCall', id: 'a', name: 'ls', arguments: { path: 'src', depth: 2 } },
        { type: 'text', text: 'I list.' },
        { type: 'thinking', thinking: 'which' },
        { type: 'thinking', thinking: 'folder' },
        { type: 'text', text: 'Now.' },
      ],
    }
    expect(told([message])).toBe(
      '[Assistant thinking]: which\nfolder\n\n[Assistant]: I list.\nNow.\n\n[Assistant tool calls]: ls(path="src", depth=2)\n\n[Tool error]: ls: interrupted, no result',
    )
  })

  it('names images and sends none', () => {
    const text = told([
      { role: 'user', content: [{ type: 'text', text: 'see' }, image, { type: 'text', text: 'this' }] },
      { role: 'toolResult', toolCallId: 'x', content: [image] },
    ])
    expect(text).toBe('[User]: see\nthis\n[image]\n\n[Tool result]: [image]')
  })

  it('says that a call was interrupted', () => {
    const open = { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'make', arguments: {} }] }
    expect(told([open])).toBe('[Assistant tool calls]: make()\n\n[Tool error]: make: interrupted, no result')
  })

  it('tells summaries and developer messages', () => {
    const messages = [
      { role: 'compactionSummary', summary: 'story' },
      { role: 'developer', content: 'go on' },
    ]
    expect(told(messages)).toBe('[System notice]: earlier: story\n\n[System notice]: go on')
  })
})
