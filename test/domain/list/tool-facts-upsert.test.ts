import { describe, expect, it } from 'vitest'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { TOOL_FACTS_HEADING, upsertToolFacts } from '../../../src/domain/list/tool-facts.ts'
import { call, calling, rowsOf, user } from '../../support/chat-lists.ts'

const conversationOf = (messages: Parameters<typeof rowsOf>[0]) => rowsToConversation(rowsOf(messages))

const writing = (id: string, path: string): { role: string; tool_calls: unknown[] } => ({
  role: 'assistant',
  tool_calls: [call(id, 'write_file', { path, content: 'x' })],
})

describe('upsertToolFacts', () => {
  const written = (n: number): string =>
    upsertToolFacts('## Goal\ngo', conversationOf([writing(`w${n}`, `/tmp/f${n}.py`)]), null)

  it('puts calls that changed something, and paths, under the summary', () => {
    const rows = conversationOf([
      calling('r'),
      { role: 'assistant', tool_calls: [call('x', 'grep', { pattern: 'q' })] },
      writing('w', '/tmp/foo.py'),
    ])
    expect(upsertToolFacts('## Goal\ngo\n', rows, null)).toBe(
      `## Goal\ngo\n\n${TOOL_FACTS_HEADING}\n- shell({"command":"run r"})\n- write_file({"path":"/tmp/foo.py","content":"x"})\nPaths: /tmp/foo.py`,
    )
    expect(upsertToolFacts('## Goal', conversationOf([user('no calls, /a/b.ts')]), null)).toBe('## Goal')
  })

  it('carries earlier lines on, once, the newest last', () => {
    const second = upsertToolFacts(written(1), conversationOf([writing('w2', '/tmp/f2.py')]), written(1))
    expect(second.split(TOOL_FACTS_HEADING)).toHaveLength(2)
    expect(second).toMatch(/f1\.py.*\n.*f2\.py.*\nPaths: \/tmp\/f1\.py, \/tmp\/f2\.py$/)
  })

  it('stays small whatever the calls hold', () => {
    const many = Array.from({ length: 500 }, (_, n) => writing(`w${n}`, `/src/${'d'.repeat(300)}/${n}.ts`))
    expect(upsertToolFacts('', conversationOf(many), null).length).toBeLessThan(8000)
  })
})
