import { describe, expect, it } from 'vitest'
import { fileLists } from '../../../src/domain/conversation/file-lists.ts'
import { sanitizePairs } from '../../../src/domain/dialects/pairs.ts'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { fallbackSummary, NO_USER } from '../../../src/domain/list/fallback-summary.ts'
import { autoFocus } from '../../../src/domain/list/plan/focus.ts'
import { collectPaths, TOOL_FACTS_HEADING, upsertToolFacts } from '../../../src/domain/list/tool-facts.ts'
import { serialize } from '../../../src/domain/transcript/serialize.ts'
import { call, calling, chat, filler, image, result, rowsOf, says, user } from '../../support/chat-lists.ts'

const conversationOf = (messages: Parameters<typeof rowsOf>[0]) => rowsToConversation(rowsOf(messages))

const writing = (id: string, path: string): { role: string; tool_calls: unknown[] } => ({
  role: 'assistant',
  tool_calls: [call(id, 'write_file', { path, content: 'x' })],
})
const fallback = (rows = rowsOf(chat(12)), previousSummary: string | null = null): string =>
  fallbackSummary({
    conversation: rowsToConversation(rows),
    count: rows.length,
    previousSummary,
    reason: 'every model failed',
  })

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

describe('fallbackSummary', () => {
  it('tells the newest ask, what was done, what broke and where, without a model', () => {
    const rows = rowsOf([
      user('fix the parser'),
      says('on it'),
      writing('w', '/src/parser.ts'),
      result('w', 'Error: disk full at /dev/sda1'),
      user('and the tests'),
    ])
    const text = fallback(rows, 'earlier: set up the repo')
    expect(text).toMatch(/^## Historical Task Snapshot\nand the tests\n/)
    for (const fact of [
      'earlier: set up the repo',
      '1. on it',
      'called write_file',
      '- Error: disk full',
      '- /src/parser.ts',
      'fix the parser',
      'every model failed',
    ])
      expect(text).toContain(fact)
    expect(fallback(rows)).toBe(fallback(rows))
  })

  it('is capped at 8000 characters and never ends in half an emoji', () => {
    const long = rowsOf(
      Array.from({ length: 40 }, (_, n) => [user(`${n} ${'😀'.repeat(900)}`), says(filler(2000))]).flat(),
    )
    const text = fallback(long, filler(9000))
    expect(text.length).toBeLessThanOrEqual(8000)
    expect(text.isWellFormed()).toBe(true)
  })

  it('invents no user', () => {
    expect(fallback(rowsOf([calling('a'), result('a'), user('Continue if you have next steps.')]))).toContain(
      `## Historical Task Snapshot\n${NO_USER}`,
    )
  })
})

describe('autoFocus', () => {
  it('reads real turns only', () => {
    const rows = rowsOf([
      user('one\n\n  two'),
      user('<system-reminder>x</system-reminder>'),
      says('y'),
      user('three'),
      user([image()]),
    ])
    expect(autoFocus(rows)).toBe('one two | three')
    expect(autoFocus(rowsOf([says('x')]))).toBeNull()
  })

  it('is capped', () => {
    expect(autoFocus(rowsOf(chat(3).concat(user('z'.repeat(9000)))))?.length).toBeLessThanOrEqual(700)
  })
})

describe('rowsToConversation', () => {
  it('names images, calls and unknown parts, and tells no native reasoning', () => {
    const rows = rowsOf([
      user([
        { type: 'text', text: 'see' },
        image(),
        { type: 'image_url', image_url: { url: 'https://a.b/c.png' } },
        { type: 'file' },
      ]),
      {
        role: 'assistant',
        content: '<think>\nsecret\n</think>\nreading',
        reasoning_content: 'hidden',
        tool_calls: [call('a', 'read', { path: 'x' })],
      },
      { ...result('a', 'Error: no such file'), name: 'read' },
      { role: 'exit', content: 'bye' },
    ])
    expect(serialize(rowsToConversation(rows))).toBe(
      '[User]: see\n[image]\n[image: https://a.b/c.png]\n[file]\n\n[Assistant]: reading\n\n[Assistant tool calls]: read(path="x")\n\n[Tool error]: Error: no such file\n\n[System notice]: EXIT: bye',
    )
  })

  it('tells calls nobody answered as interrupted (bug-log B020)', () => {
    const { rows } = sanitizePairs(rowsOf([calling('a', 'b'), result('a'), calling('c'), user('stop')]))
    const text = serialize(rowsToConversation(rows))
    expect(text.match(/^\[Tool error\]: shell: interrupted, no result$/gm)).toHaveLength(2)
    expect(text).not.toContain('tool call without result')
  })
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
