import { describe, expect, it } from 'vitest'
import { readSessionFile } from '../../../src/domain/dialects/session-file.ts'

type Line = Record<string, unknown>
const line = (uuid: string, parentUuid: string | null, type: string, content: unknown, more: Line = {}): Line => ({
  uuid,
  parentUuid,
  type,
  isSidechain: false,
  message: { role: type, content, ...(more['message'] as Line | undefined) },
  ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== 'message')),
})
const use = (id: string) => [{ type: 'tool_use', id, name: 'Read', input: {} }]
const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: id }]
const answer = { message: { id: 'msg_1', usage: { input_tokens: 5, cache_read_input_tokens: 100, output_tokens: 7 } } }

describe('readSessionFile', () => {
  it('reads the live thread of a Claude Code transcript: rows of one answer and results beside the chain', () => {
    const file = readSessionFile([
      line('a', null, 'user', 'old'),
      { uuid: 'b', parentUuid: null, type: 'system', subtype: 'compact_boundary' },
      line('c', 'b', 'user', 'This session is being continued'),
      line('d', 'c', 'assistant', use('t1'), answer),
      line('r1', 'd', 'user', result('t1')),
      line('e', 'd', 'assistant', use('t2'), answer),
      line('s', 'e', 'user', 'side', { isSidechain: true }),
      line('m', 'e', 'user', 'meta', { isMeta: true }),
      line('r2', 'e', 'user', result('t2')),
    ])
    expect(file).toEqual({
      source: 'claude-code',
      format: 'anthropic',
      previousSummary: null,
      measuredTokens: 112,
      messages: [
        { role: 'user', content: 'This session is being continued' },
        { role: 'assistant', content: [...use('t1'), ...use('t2')] },
        { role: 'user', content: [...result('t1'), ...result('t2')] },
      ],
    })
  })

  it('reads a Codex rollout behind its last compaction', () => {
    const item = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    const of = (type: string, payload: Line) => ({ type, payload })
    const file = readSessionFile([
      of('response_item', item('old')),
      of('compacted', { message: 'what was done', replacement_history: [item('kept')] }),
      of('response_item', item('new')),
      of('response_item', { type: 'ghost_snapshot' }),
      of('event_msg', { type: 'token_count', info: { last_token_usage: { total_tokens: 4711 } } }),
    ])
    expect(file).toMatchObject({
      source: 'codex',
      previousSummary: 'what was done',
      measuredTokens: 4711,
      messages: [item('kept'), item('new')],
    })
  })

  it('a rollout that was just compacted holds its summary and nothing else', () => {
    const file = readSessionFile([{ type: 'compacted', payload: { message: 'what was done' } }])
    expect(file).toMatchObject({ source: 'codex', previousSummary: 'what was done', messages: [] })
  })

  it.each([
    [
      'pi',
      [
        { type: 'session', version: 3 },
        { type: 'message', id: 'a', parentId: null, message: { role: 'user' } },
      ],
    ],
    ['pi', [{ type: 'compaction', summary: 'x', firstKeptEntryIndex: 0 }]],
    ['messages', [{ role: 'user', content: 'hi' }]],
    ['messages', [{ type: 'human', content: 'hi' }]],
    ['messages', [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }]],
  ])('knows a file of %s', (source, rows) => {
    expect(readSessionFile(rows).source).toBe(source)
  })

  it.each([
    ['nothing', [], 'not one JSON object'],
    ['rows of nobody', [{ type: 'zebra', note: 'SECRET' }], 'zebra'],
    ['types that may be words', [{ type: 'a SECRET type' }], 'objects without a type'],
    ['a header alone', [{ type: 'session', version: 3 }], 'session'],
    ['a side chain alone', [line('a', null, 'user', 'x', { isSidechain: true })], 'Claude Code'],
    ['a rollout without items', [{ type: 'session_meta', payload: {} }], 'Codex'],
  ])('refuses %s and names what was found', (_name, rows, named) => {
    expect(() => readSessionFile(rows)).toThrow(
      expect.objectContaining({ code: 'no-entries', message: expect.stringContaining(named) }),
    )
    expect(() => readSessionFile(rows)).not.toThrow(
      expect.objectContaining({ message: expect.stringContaining('SECRET') }),
    )
  })
})
