import { describe, expect, it } from 'vitest'
import { fileLists } from '../../../src/domain/conversation/file-lists.ts'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { call, result, rowsOf, user } from '../../support/chat-lists.ts'

const writing = (id: string, path: string): { role: string; tool_calls: unknown[] } => ({
  role: 'assistant',
  tool_calls: [call(id, 'write_file', { path, content: 'x' })],
})

describe('fileLists', () => {
  const rows = rowsOf([
    user('go'),
    { ...writing('w', 'a.ts'), content: 'writing' },
    { role: 'tool', tool_call_id: 'w', content: 'x', is_error: true },
    writing('w', 'b.ts'),
    result('w', 'ok'),
  ])

  it('say which call failed, also where ids come again', () => {
    expect(fileLists(rowsToConversation(rows)).modifiedFiles).toEqual(['b.ts'])
  })
})
