import { expect, it } from 'vitest'
import { blocksToConversation } from '../../../src/domain/transcript/blocks-to-conversation.ts'
import { parseBlocks } from '../../../src/domain/transcript/parse-blocks.ts'

/** `speaker: kind text` of every part. */
function told(conversation: string): string[] {
  const { turns } = blocksToConversation(parseBlocks(conversation))
  return turns.flatMap(({ speaker, parts }) =>
    parts.map((part) => {
      if (part.kind === 'call') return `${speaker}: call ${part.name}`
      if (part.kind === 'result') return `${speaker}: ${part.call?.name ?? 'nobody'} ${part.status} ${part.text}`.trim()
      return `${speaker}: ${part.kind} ${'text' in part ? part.text : ''}`
    }),
  )
}

it.each([
  [
    'calls and results in order, errors marked',
    '[User]: go\n\n[Assistant]: both\n\n[Assistant tool calls]: ls(path="a"); bash(command="make")\n\n[Tool result]: b.ts\n\n[Tool error]: boom',
    [
      'user: words go',
      'assistant: words both',
      'assistant: call ls',
      'assistant: call bash',
      'tool: ls ok b.ts',
      'tool: bash failed boom',
    ],
  ],
  [
    'a result without a call, a call without a result',
    '[Tool result]: lonely\n\n[Assistant tool calls]: read(path="x")\n\n[User]: next',
    ['tool: nobody ok lonely', 'assistant: call read', 'tool: read unknown', 'user: words next'],
  ],
  [
    'interrupted calls, named by a line of their own',
    '[Assistant tool calls]: bash(command="a"); bash(command="b")\n\n[Tool result]: one\n\n[Tool error]: bash: interrupted, no result',
    ['assistant: call bash', 'assistant: call bash', 'tool: bash ok one', 'tool: bash interrupted'],
  ],
  [
    'outcomes alone',
    '[Assistant tool calls]: write(path="a"); bash(command="b"); edit(path="c")\n\n[Tool result]: → ok\n\n[Tool error]: → failed: boom\n\n[Tool error]: → denied by the user: keep it',
    [
      'assistant: call write',
      'assistant: call bash',
      'assistant: call edit',
      'tool: write ok',
      'tool: bash failed boom',
      'tool: edit denied keep it',
      'user: words keep it',
    ],
  ],
  [
    'a result that names the file of its call, where empty results are left out',
    '[Assistant tool calls]: bash(command="a"); write(path="src/b.ts")\n\n[Tool result]: wrote src/b.ts',
    ['assistant: call bash', 'assistant: call write', 'tool: bash unknown', 'tool: write ok wrote src/b.ts'],
  ],
  [
    'a command of the user, a stored summary',
    '[User]: Ran `make`\n```\nok\n```\n\n[User]: [CONTEXT COMPACTION — REFERENCE ONLY] x',
    [
      'machine: machine Ran `make`\n```\nok\n```',
      'machine: call bash',
      'machine: bash ok ```\nok\n```',
      'machine: summary [CONTEXT COMPACTION — REFERENCE ONLY] x',
    ],
  ],
  [
    'notices',
    '[System notice]: <system-reminder>\nnever\n</system-reminder>\n\n[System]: rules',
    ['machine: machine <system-reminder>\nnever\n</system-reminder>', 'machine: machine rules'],
  ],
  [
    'answers to a question',
    '[Assistant tool calls]: ask(question="Which?")\n\n[Tool result]: User selected: north',
    ['assistant: call ask', 'tool: ask ok User selected: north', 'user: words north'],
  ],
])('blocksToConversation reads %s', (_, conversation, wanted) => {
  expect(told(conversation)).toEqual(wanted)
})
