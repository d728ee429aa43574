import { expect, test } from 'vitest'
import { parseBlocks } from '../../../src/domain/transcript/parse-blocks.ts'
import { regionFromBlocks } from '../../../src/domain/transcript/region-from-blocks.ts'

const region = (conversation: string) => regionFromBlocks(parseBlocks(conversation))

test('regionFromBlocks gives calls their results in order, errors marked', () => {
  const { events } = region(
    '[User]: go\n\n[Assistant thinking]: hm\n\n[Assistant]: both\n\n[Assistant tool calls]: ls(path="a"); bash(command="make")\n\n[Tool result]: b.ts\n\n[Tool error]: boom',
  )
  expect(events).toEqual([
    { kind: 'user', text: 'go' },
    { kind: 'assistant', text: 'both' },
    { kind: 'call', name: 'ls', args: { path: 'a' }, failed: false, result: 'b.ts' },
    { kind: 'call', name: 'bash', args: { command: 'make' }, failed: true, result: 'boom' },
  ])
})

test('regionFromBlocks keeps a result without a call and a call without a result', () => {
  const { events } = region('[Tool result]: lonely\n\n[Assistant tool calls]: read(path="x")\n\n[User]: next')
  expect(events.map((event) => (event.kind === 'call' ? `${event.name}:${event.result}` : event.text))).toEqual([
    'unknown:lonely',
    'read:',
    'next',
  ])
})

test("regionFromBlocks takes a command of the user for a call and a stored summary for nobody's words", () => {
  const { events } = region(
    '[User]: Ran `make`\n```\nok\n```\n\n[User]: Earlier work.\n\n<summary>\nnever stop\n</summary>\n\n[User]: [CONTEXT COMPACTION — REFERENCE ONLY] x',
  )
  expect(events).toEqual([
    { kind: 'call', name: 'bash', args: { command: 'make' }, failed: false, result: '```\nok\n```' },
  ])
})

test('regionFromBlocks keeps every text as source', () => {
  expect(region('[User]: see src/a.ts\n\n[Assistant thinking]: and src/b.ts').source.join(' ')).toBe(
    'see src/a.ts and src/b.ts',
  )
})
