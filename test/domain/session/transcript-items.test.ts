import { describe, expect, it } from 'vitest'
import { transcriptItems } from '../../../src/domain/session/transcript-items.ts'
import { serialize } from '../../../src/domain/transcript/serialize.ts'

const wrappers = {
  compactionSummary: (text: string) => `earlier: ${text}`,
  branchSummary: (text: string) => `branch: ${text}`,
}
const image = { type: 'image', data: 'QUJD', mimeType: 'image/png' }

function told(messages: Parameters<typeof transcriptItems>[0], marksInterrupted = true): string {
  return serialize(transcriptItems(messages, { wrappers, marksInterrupted }))
}

describe('transcriptItems', () => {
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
    expect(told([message], false)).toBe(
      '[Assistant thinking]: which\nfolder\n\n[Assistant]: I list.\nNow.\n\n[Assistant tool calls]: ls(path="src", depth=2)',
    )
  })

  it('names images and sends none', () => {
    const text = told([
      { role: 'user', content: [{ type: 'text', text: 'see' }, image, { type: 'text', text: 'this' }] },
      { role: 'toolResult', toolCallId: 'x', content: [image] },
    ])
    expect(text).toBe('[User]: see\n[image]\nthis\n\n[Tool result]: [image]')
  })

  it('says that a call was interrupted, but not in a branch, whose results are left out', () => {
    const open = { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'make', arguments: {} }] }
    expect(told([open])).toBe('[Assistant tool calls]: make()\n\n[Tool error]: make: interrupted, no result')
    expect(told([open], false)).toBe('[Assistant tool calls]: make()')
  })

  it('tells summaries and developer messages', () => {
    const messages = [
      { role: 'compactionSummary', summary: 'story' },
      { role: 'developer', content: 'go on' },
    ]
    expect(told(messages)).toBe('[User]: earlier: story\n\n[Developer]: go on')
  })
})
