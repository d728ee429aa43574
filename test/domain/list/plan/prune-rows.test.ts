import { describe, expect, it } from 'vitest'
import { callOf } from '../../../../src/domain/conversation/call.ts'
import { demotedLine, isDemotedLine } from '../../../../src/domain/list/plan/demote.ts'
import { DUPLICATE_RESULT, type PruneOptions, pruneRows } from '../../../../src/domain/list/plan/prune-rows.ts'
import { truncateArguments } from '../../../../src/domain/list/plan/truncate-arguments.ts'
import type { ChatMessage } from '../../../../src/domain/tokens/chat-tokens.ts'
import { deepFreeze } from '../../../support/chat-invariants.ts'
import { call, calling, chat, filler, image, result, rowsOf, user } from '../../../support/chat-lists.ts'

const OPTIONS: PruneOptions = { tailTokens: 1000, softCeilingTokens: 1500, protectLast: 3 }
const pruned = (messages: readonly ChatMessage[], options: Partial<PruneOptions> = {}): readonly ChatMessage[] =>
  pruneRows(rowsOf(deepFreeze(messages)), { ...OPTIONS, ...options }).rows.map((row) => row.message)

describe('pruneRows', () => {
  it('keeps the newest of equal results and points the older ones to it', () => {
    const same = filler(100, 'same')
    const out = pruned([calling('a'), result('a', same), calling('b'), result('b', same)], {
      tailTokens: 9999,
      softCeilingTokens: 9999,
    })
    expect(out.map((message) => message.content)).toEqual([null, DUPLICATE_RESULT, null, same])
  })

  it('makes one line of results before the boundary and leaves what was said', () => {
    const old = [
      user(filler(200, 'ask')),
      { role: 'assistant', content: filler(200, 'say'), tool_calls: [call('a', 'read_file', { path: 'src/a.ts' })] },
      result('a', filler(300, 'body')),
    ]
    const out = pruned([...old, ...chat(4)])
    expect(out[0]).toBe(old[0])
    expect(out[1]).toBe(old[1])
    expect(out[2]?.content).toBe('[read_file] src/a.ts (1200 chars)')
  })

  it('is idempotent', () => {
    const list = [
      calling('a'),
      result('a', filler(300)),
      { role: 'assistant', tool_calls: [call('b', 'write', { content: 'x'.repeat(700) })] },
      result('b', filler(300)),
      ...chat(5),
    ]
    const once = pruneRows(rowsOf(list), OPTIONS)
    const twice = pruneRows(once.rows, OPTIONS)
    expect(once.tokensSaved).toBeGreaterThan(0)
    expect([twice.tokensSaved, twice.demoted, twice.clipped]).toEqual([0, [], []])
  })

  it('takes images out of old list results and keeps their text', () => {
    const out = pruned([calling('a'), result('a', [{ type: 'text', text: 'shot' }, image()]), ...chat(5)])
    expect(out[1]?.content).toMatchObject([
      { type: 'text', text: 'shot' },
      { type: 'text', text: '[screenshot removed to save context]' },
    ])
  })

  it('cuts a text-only list result and a multimodal object like any text', () => {
    const out = pruned([
      calling('a', 'b'),
      result('a', [{ type: 'text', text: filler(300) }]),
      result('b', { _multimodal: true, text_summary: 's'.repeat(300) }),
      ...chat(5),
    ])
    expect(out[1]?.content).toMatch(/^\[shell\] .* \(1200 chars\)$/)
    expect(out[2]?.content).toBe('s'.repeat(200))
  })

  it('protects the last rows by COUNT when the budget is tiny', () => {
    const list = [calling('a'), result('a', filler(300, 'x')), calling('b'), result('b', filler(300, 'y'))]
    expect(pruned(list, { tailTokens: 1, softCeilingTokens: 9999, protectLast: 4 })).toEqual(list)
  })

  it('#61932 #76352 huge protected results shrink, the newest last, the ask never', () => {
    const ask = user('what do they say?')
    const list = [
      ask,
      calling('a', 'b', 'c'),
      result('a', filler(50_000, 'x')),
      result('b', filler(50_000, 'y')),
      result('c', filler(50_000, 'z')),
      user('so?'),
    ]
    const out = pruned(list, { protectLast: 20 })
    expect(out[0]).toBe(ask)
    expect(out.slice(2, 5).every((message) => isDemotedLine(String(message.content)))).toBe(true)
    const fits = pruned(list, { protectLast: 20, softCeilingTokens: 51_000 })
    expect(fits[4]).toBe(list[4])
  })

  it('leaves results of protected tools, and everything when too little would be saved', () => {
    const list = [calling('a'), result('a', filler(300)), ...chat(5)]
    expect(pruned(list, { protectedTools: ['shell'] })).toEqual(list)
    expect(pruned(list, { minimumSavingsTokens: 5000 })).toEqual(list)
  })
})

describe('demotedLine', () => {
  it.each([
    [
      'terminal',
      { command: 'npm test' },
      '{"exit_code": 2}\nx',
      '[terminal] ran `npm test`, exit 2, 2 lines (18 chars)',
    ],
    ['read_file', { path: 'a.ts', offset: 40 }, 'abc', '[read_file] a.ts from 40 (3 chars)'],
    ['write_file', { path: 'a.ts', content: 'a\nb' }, 'ok', '[write_file] a.ts, 2 lines (2 chars)'],
    ['search', { pattern: 'foo', path: 'src' }, '{"total_count": 7}', '[search] "foo" in src 7 matches (18 chars)'],
    ['patch', { mode: 'replace', path: 'a.ts' }, '', '[patch] replace a.ts (0 chars)'],
    [
      'web_extract',
      { urls: [{ url: 'https://a.b/c' }, 'x', 'y'] },
      '',
      '[web_extract] https://a.b/c (+2 more) (0 chars)',
    ],
    ['execute_code', { code: 'a\nb' }, '', '[execute_code] a b (0 chars)'],
    ['other', { one: 1, two: { x: 2 }, three: 3 }, '', '[other] one=1, two={"x":2} (0 chars)'],
  ])('tells what %s did', (name, args, text, line) => {
    expect(demotedLine(callOf({ id: '', name, arguments: args }), text)).toBe(line)
    expect(isDemotedLine(line)).toBe(true)
  })

  it.each(['{"half":', '[1]', '', 'null', '{"command":{"odd":[1]}}'])('never throws on arguments %j', (args) => {
    expect(isDemotedLine(demotedLine(callOf({ id: '', name: 'terminal', arguments: args }), 'x'.repeat(500)))).toBe(
      true,
    )
    expect(isDemotedLine(demotedLine(callOf({ id: '', name: 'n'.repeat(1000), arguments: args }), 'x'))).toBe(true)
  })
})

describe('truncateArguments', () => {
  const parsed = (args: string): Record<string, unknown> => JSON.parse(args) as Record<string, unknown>

  it('#11762 #13574 #12731 cuts long leaves and stays valid JSON: 639 to 253 characters', () => {
    const args = JSON.stringify({ path: '/tmp/a.py', content: 'x'.repeat(600), n: 7 })
    expect([args.length, truncateArguments(args).length]).toEqual([639, 253])
    expect(parsed(truncateArguments(args))).toEqual({
      path: '/tmp/a.py',
      content: `${'x'.repeat(200)}...[truncated]`,
      n: 7,
    })
  })

  it('reaches into arrays and objects, escapes nothing, leaves exactly 200: 734 to 661 characters', () => {
    const args = JSON.stringify({ aa: ['ñ'.repeat(250)], o: { k: 'y'.repeat(251) }, pad: 'z'.repeat(200) })
    const out = truncateArguments(args)
    expect([args.length, out.length]).toEqual([734, 661])
    expect(out).toContain(`${'ñ'.repeat(200)}...[truncated]`)
    expect(parsed(out)['pad']).toHaveLength(200)
  })

  it.each([
    ['no JSON', `{"content":"${'x'.repeat(614)}`],
    ['short', JSON.stringify({ content: 'x'.repeat(90) })],
  ])('leaves arguments that are %s', (_name, args) => {
    expect(truncateArguments(args)).toBe(args)
  })

  it('leaves keys, big numbers and spacing alone, cuts no emoji in half', () => {
    const args = `{ "${'k'.repeat(300)}" : 12345678901234567890123,  "t":"${'a'.repeat(199)}${'😀'.repeat(200)}" }`
    const out = truncateArguments(args)
    expect(out.startsWith(`{ "${'k'.repeat(300)}" : 12345678901234567890123,  "t":"`)).toBe(true)
    expect(out.isWellFormed()).toBe(true)
    expect(truncateArguments(out)).toBe(out)
  })
})
