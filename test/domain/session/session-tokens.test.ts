import { describe, expect, it } from 'vitest'
import { entryTokens, messageTokens } from '../../../src/domain/session/session-tokens.ts'

const image = { type: 'image', data: 'A'.repeat(40_000), mimeType: 'image/png' }

describe('messageTokens', () => {
  it.each([
    ['UTF-8 bytes over four, rounded up', { role: 'user', content: 'é'.repeat(2001) }, 1001],
    ['three bytes a CJK character', { role: 'user', content: [{ type: 'text', text: '日本'.repeat(100) }] }, 150],
    ['four bytes an emoji', { role: 'developer', content: '🙂'.repeat(10) }, 10],
    [
      'parts before rounding',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      1,
    ],
    ['an image', { role: 'user', content: [image, { type: 'text', text: 'abcd' }] }, 1201],
    ['a blob reference', { role: 'toolResult', content: [{ ...image, data: 'blob:sha256:00' }] }, 1200],
    [
      'thinking and its signature',
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'abcd', thinkingSignature: 'abcd' }] },
      2,
    ],
    ['redacted thinking', { role: 'assistant', content: [{ type: 'redactedThinking', data: 'abcdabcd' }] }, 2],
    [
      'name and JSON of a call',
      { role: 'assistant', content: [{ type: 'toolCall', id: 'long-id', name: 'ls', arguments: { p: 1 } }] },
      3,
    ],
    ['a call without arguments', { role: 'assistant', content: [{ type: 'toolCall', id: 'x', name: 'wait' }] }, 1],
    [
      'a pruned result without its images',
      { role: 'toolResult', prunedAt: 1, content: [image, { type: 'text', text: 'abcd' }] },
      1,
    ],
    ['command and output', { role: 'bashExecution', command: 'abcd', output: 'abcd' }, 2],
    ['code and output', { role: 'pythonExecution', code: 'abcd', output: 'abcd' }, 2],
    [
      'nothing that is kept out of the context',
      { role: 'bashExecution', command: 'abcd', excludeFromContext: true },
      0,
    ],
    ['custom content', { role: 'custom', content: 'abcd' }, 1],
    [
      'mentioned files, not their paths',
      {
        role: 'fileMention',
        files: [
          { path: 'src/a.ts', content: 'abcd' },
          { path: 'b', image },
        ],
      },
      1201,
    ],
    ['a stored summary', { role: 'compactionSummary', summary: 'abcdabcd' }, 2],
    ['nothing for an unknown role', { role: 'oracle', content: 'abcd' }, 0],
    [
      'nothing for odd contents',
      { role: 'user', content: [null, 3, { type: 'text' }, { type: 'video', data: 'abcd' }] },
      0,
    ],
  ])('counts %s', (_name, message, tokens) => {
    expect(messageTokens(message)).toBe(tokens)
    expect(messageTokens(message)).toBe(tokens)
  })
})

describe('entryTokens', () => {
  it.each([
    ['a custom message', { type: 'custom_message', content: 'abcd' }, 1],
    ['a branch summary', { type: 'branch_summary', summary: 'abcdabcd' }, 2],
    ['a compaction', { type: 'compaction', summary: 'abcd' }, 1],
    ['metadata', { type: 'custom', data: 'abcd', content: 'abcd' }, 0],
  ])('counts %s', (_name, entry, tokens) => {
    expect(entryTokens(entry)).toBe(tokens)
  })
})
