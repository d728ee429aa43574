import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsNoConversation } from '../../../src/domain/transcript/holds-no-conversation.ts'
import { parsePrompt } from '../../../src/domain/transcript/parse-prompt.ts'

it.each([
  ['plain lines', ['Summarize this:\n', 'it went well.\nError: none'], true],
  ['a lonely label', ['User: hello\n', 'and that was all.'], true],
  ['labels of two agents', ['[User]: hello\n', 'Assistant: hi'], true],
  ['a dialogue over two pieces', ['User: hello\n', 'Assistant: hi'], false],
  ['a tag', ['see <conversation>\n', 'x'], false],
  ['a list of messages', ['x\n', '[{"role":"user"}]'], false],
  ['a list whose first message is in the next piece', ['[\n', '{"role":"user"}]'], false],
  ['a line that is cut', ['User: hel', 'lo\nwell'], false],
])('holdsNoConversation of %s', (_, pieces, isPlain) => {
  expect(holdsNoConversation(pieces)).toBe(isPlain)
})

it('holdsNoConversation says so of nothing that is read as a conversation', () => {
  const line = fc.constantFrom(
    ...[
      'User: a',
      'Assistant: b',
      '[User]: a',
      '[Assistant]: b',
      '## User',
      '## Assistant',
      '**User:** a',
      '**Assistant:** b',
    ],
    ...[
      '<conversation>',
      '</conversation>',
      '<user>',
      '</user>',
      '<assistant>',
      '[',
      '[{"role":"user","content":"a"},',
    ],
    ...['{"role":"assistant","content":"b"}]', '', '  User: a', 'Summarize the above.', 'text'],
  )
  fc.assert(
    fc.property(fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (parts) => {
      const pieces = parts.map((lines) => `${lines.join('\n')}\n`)
      if (holdsNoConversation(pieces)) expect(parsePrompt(pieces.join(''))).toBeNull()
    }),
    { numRuns: 2_000 },
  )
})
