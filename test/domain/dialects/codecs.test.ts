import { describe, expect, it } from 'vitest'
import { CODECS } from '../../../src/domain/dialects/codecs.ts'
import { sanitizePairs } from '../../../src/domain/dialects/pairs.ts'
import { HANDOFF } from '../../../src/domain/list/assemble/handoff.ts'
import { flatText } from '../../support/chat-invariants.ts'
import { chat, compacted, filler, STUB, user } from '../../support/chat-lists.ts'

type Message = Record<string, unknown>
const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
const redacted = { type: 'redacted_thinking', data: 'YmxvYg==' }
const use = (id: string, input: unknown = { path: id }): Message => ({ type: 'tool_use', id, name: 'Read', input })
const outcome = (id: string, content: unknown = `body ${id}`): Message => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const text = (value: string): Message => ({ type: 'text', text: value })

/** Turns of an Anthropic agent: ask, signed thinking and a call, its result, an answer. */
function claude(turns: number): Message[] {
  return Array.from({ length: turns }, (_, n) => [
    { role: 'user', content: [{ ...text(`ask ${n}`), cache_control: { type: 'ephemeral' } }], id: `u${n}` },
    { role: 'assistant', content: [thinking, redacted, text('reading'), use(`t${n}`)] },
    { role: 'user', content: [outcome(`t${n}`, [text(filler(200, `body${n}`))])] },
    { role: 'assistant', content: [text(filler(200, `reply${n}`))] },
  ]).flat()
}

/** Turns of a Responses agent: ask, reasoning with a call, its output, reasoning with an answer. */
function codex(turns: number): Message[] {
  return Array.from({ length: turns }, (_, n) => [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: `ask ${n}` }] },
    { type: 'reasoning', id: `rs_${n}`, summary: [], encrypted_content: 'blob' },
    { type: 'custom_tool_call', call_id: `c${n}`, name: 'apply_patch', input: '*** Begin Patch' },
    { type: 'custom_tool_call_output', call_id: `c${n}`, output: filler(200, `body${n}`) },
    { type: 'reasoning', id: `rs_b${n}`, summary: [], encrypted_content: 'blob' },
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: filler(200, `reply${n}`) }],
      id: `msg_${n}`,
    },
  ]).flat()
}

describe.each([
  ['openai', chat(6)],
  ['anthropic', claude(6)],
  ['responses', codex(6)],
] as const)('the %s converter', (format, messages) => {
  it('gives untouched rows back as the very same objects', () => {
    const codec = CODECS[format]
    const back = codec.write(codec.read(messages), messages)
    expect(back).toHaveLength(messages.length)
    expect(back.every((message, at) => message === messages[at])).toBe(true)
  })

  it('keeps the tail byte for byte through a compaction', () => {
    const list = format === 'openai' ? chat(20) : format === 'anthropic' ? claude(20) : codex(20)
    const out = compacted(list, { format })
    expect(out.messages.length).toBeLessThan(list.length)
    expect(out.messages.slice(-6)).toEqual(list.slice(-6))
    expect(out.boundaries.end - out.boundaries.start).toBe(out.droppedCount)
  })
})

describe('anthropicCodec', () => {
  const codec = CODECS.anthropic
  const roundTrip = (messages: readonly Message[]): unknown[] =>
    codec.write(sanitizePairs(codec.read(messages)).rows, messages)

  it('keeps thinking, server tools and their order when a call is taken off', () => {
    const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } }
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
    const answer = {
      role: 'assistant',
      content: [thinking, text('a'), server, found, use('t1'), use('t2')],
      id: 'msg_1',
    }
    const [out] = roundTrip([answer, { role: 'user', content: [outcome('t2')] }])
    expect(out).toEqual({ role: 'assistant', content: [thinking, text('a'), server, found, use('t2')], id: 'msg_1' })
  })

  it('an answer left with thinking alone gets a text', () => {
    const [out] = roundTrip([{ role: 'assistant', content: [thinking, use('t1')] }, user('x') as Message])
    expect((out as Message)['content']).toEqual([thinking, text('[tool call without result removed]')])
  })

  it('puts results in front of whatever a user row says, and merges neighbours of one role', () => {
    const out = roundTrip([
      { role: 'assistant', content: [use('t1')] },
      { role: 'user', content: [text('by the way'), outcome('t1')] },
      { role: 'user', content: 'and this' },
      { role: 'user', content: '' },
    ])
    expect(out[1]).toEqual({ role: 'user', content: [outcome('t1'), text('by the way'), text('and this')] })
    expect(out).toHaveLength(2)
  })

  it('marks the words of a head that the summary would run into, and finds them again', () => {
    const out = compacted([{ role: 'user', content: 'THE TASK' }, ...claude(9)], { format: 'anthropic', first: 1 })
    const blocks = out.messages[0]?.content as Message[]
    expect(blocks.map((block) => String(block['text'])).slice(0, 3)).toEqual([
      HANDOFF.header,
      'THE TASK',
      HANDOFF.delimiter,
    ])
    expect(blocks[3]?.['text']).toContain(STUB)
    const again = compacted([...out.messages, ...claude(9)], { format: 'anthropic' })
    expect(again.messages.map(flatText).join('\n').split(HANDOFF.prefix)).toHaveLength(2)
  })

  it('cuts the input of an old call as an object', () => {
    const long = { file_path: '/a.ts', content: 'x'.repeat(900), n: 1 }
    const list = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [use('w', long)] },
      { role: 'user', content: [outcome('w')] },
      ...claude(12),
    ]
    const kept = compacted(list, { format: 'anthropic' }).messages[1]?.content as Message[]
    expect(kept[0]?.['input']).toEqual({ ...long, content: `${'x'.repeat(200)}...[truncated]` })
  })

  it('a client result for a server tool is an orphan (docs/bug-log.md B022)', () => {
    const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const out = roundTrip([
      { role: 'assistant', content: [server, text('ok')] },
      { role: 'user', content: [outcome('srvtoolu_1'), text('hm')] },
    ])
    expect(out[1]).toEqual({ role: 'user', content: [text('hm')] })
  })
})

describe('responsesCodec', () => {
  const codec = CODECS.responses
  const roundTrip = (messages: readonly Message[]): unknown[] =>
    codec.write(codec.repair(sanitizePairs(codec.read(messages)).rows).rows, messages)
  const reasoning = (id: string): Message => ({ type: 'reasoning', id, summary: [] })
  const fc = (id: string): Message => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
  const out = (id: string): Message => ({ type: 'function_call_output', call_id: id, output: 'r' })
  const ask: Message = { role: 'user', content: 'x' }

  it('B120 reasoning goes with the item that followed it', () => {
    expect(roundTrip([reasoning('1'), fc('a'), reasoning('2'), fc('b'), out('b'), ask])).toEqual([
      reasoning('2'),
      fc('b'),
      out('b'),
      ask,
    ])
    expect(roundTrip([ask, reasoning('1')])).toEqual([ask])
    expect(roundTrip([ask, { type: 'message', role: 'assistant', content: 'hi' }, reasoning('1'), ask])).toHaveLength(3)
  })

  it('B012 an orphan call goes, an answer made of it alone becomes a text', () => {
    expect(roundTrip([fc('a'), ask])).toEqual([
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: '[tool call without result removed]' }],
      },
      ask,
    ])
  })

  it('pairs local shell and custom calls, leaves what the provider ran alone', () => {
    const list = [
      { type: 'local_shell_call', call_id: 's', action: { type: 'exec', command: ['ls'] } },
      { type: 'function_call_output', call_id: 's', output: 'x' },
      { type: 'web_search_call', id: 'ws', status: 'completed', action: {} },
      { type: 'tool_search_call', call_id: null, execution: 'server', arguments: {} },
      { type: 'message', role: 'assistant', content: 'done' },
    ]
    expect(roundTrip(list)).toEqual(list)
  })

  it('keeps an encrypted compaction item that it cannot read, and ignores a failed one (docs/bug-log.md B046)', () => {
    const item = { type: 'compaction', encrypted_content: 'blob' }
    const kept = compacted([item, { type: 'compaction', content: null }, ...codex(20)], { format: 'responses' })
    expect(kept.messages[0]).toBe(item)
    expect(JSON.stringify(kept.messages)).not.toContain('"content":null')
  })

  it('writes texts of its own in the part types of the format', () => {
    const made = compacted(codex(20), { format: 'responses' })
    const summary = made.messages.find((message) => flatText(message).includes(STUB))
    expect(summary).toMatchObject({ type: 'message', role: 'user' })
    const parts = (summary?.content ?? []) as Message[]
    expect(new Set(parts.map((part) => part['type']))).toEqual(new Set(['input_text']))
  })
})
