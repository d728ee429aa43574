import { describe, expect, it } from 'vitest'
import { buildContext } from '../../../src/domain/session/build-context.ts'
import type { Entry } from '../../../src/domain/session/entry.ts'
import { entryTokens } from '../../../src/domain/session/session-tokens.ts'
import { systemText } from '../../../src/domain/session/system-prompt.ts'

const message = (id: string, role: string, more: object = {}): Entry => ({
  type: 'message',
  id,
  parentId: null,
  message: { role, content: 'x', ...more },
})
const prompt = message('a', 'system', { content: '', sections: [{ name: 'base', text: 'Be brief.' }, 'Be kind.'] })
const compaction: Entry = { type: 'compaction', id: 'c', parentId: 'b', summary: 'past', firstKeptEntryId: 'd' }

describe('system prompts in a session', () => {
  it.each([
    ['before the compaction', [prompt, message('b', 'user'), compaction, message('d', 'user')]],
    [
      'in the compaction entry',
      [message('b', 'user'), { ...compaction, systemMessage: prompt.message }, message('d', 'user')],
    ],
    ['behind it', [message('b', 'user'), compaction, message('d', 'user'), prompt]],
  ])('buildContext keeps the newest first, stored %s', (_name, path) => {
    const { messages } = buildContext(path)
    expect(messages.map(({ role }) => role)).toEqual(['system', 'compactionSummary', 'user'])
    expect(messages[0]).toBe(prompt.message)
  })

  it('weighs nothing: it stands beside the conversation, and no compaction makes it smaller', () => {
    expect(entryTokens(prompt)).toBe(0)
  })

  it('systemText joins content and sections', () => {
    expect(systemText({ role: 'system', content: 'You are an agent.', sections: ['A', { text: 'B' }] })).toBe(
      'You are an agent.\n\nA\n\nB',
    )
  })
})
