import { describe, expect, it } from 'vitest'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { collectPaths } from '../../../src/domain/list/tool-facts.ts'
import { call, rowsOf, user } from '../../support/chat-lists.ts'

const conversationOf = (messages: Parameters<typeof rowsOf>[0]) => rowsToConversation(rowsOf(messages))

describe('collectPaths', () => {
  it.each([
    ['see https://host.io/a/b and //cdn/x', []],
    ['yes and/or no, /or maybe', []],
    ['open /src/a.ts, then ~/notes.md.', ['/src/a.ts', '~/notes.md']],
    ['path=/tmp/x.log "/b/c d" (C:\\dir\\f.txt)', ['/tmp/x.log', '/b/c', 'C:\\dir\\f.txt']],
    ['/etc/hosts /etc/hosts', ['/etc/hosts']],
  ])('scans %j', (text, paths) => {
    expect(collectPaths(conversationOf([user(text)]))).toEqual(paths)
  })

  it('takes path arguments whole, at any depth, first and at most 12', () => {
    const nested = {
      role: 'assistant',
      tool_calls: [call('a', 'f', { edits: [{ file_path: 'relative name.ts' }], note: 'in /deep/x.ts' })],
    }
    expect(collectPaths(conversationOf([user('/first/in.text'), nested]))).toEqual([
      'relative name.ts',
      '/deep/x.ts',
      '/first/in.text',
    ])
    expect(
      collectPaths(conversationOf([user(Array.from({ length: 40 }, (_, n) => `/d/f${n}.ts`).join(' '))])),
    ).toHaveLength(12)
  })
})
