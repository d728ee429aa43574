import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleList } from '../../../src/domain/chat/assemble-list.ts'
import type { ListFormat } from '../../../src/domain/chat/codec.ts'
import { handoffText } from '../../../src/domain/chat/handoff.ts'
import { listCoverage } from '../../../src/domain/chat/list-coverage.ts'
import { planList } from '../../../src/domain/chat/plan-list.ts'
import { FRESH_STATE } from '../../../src/domain/chat/state.ts'
import { brokenInvariants, brokenPair, deepFreeze, END_LINE, flatText } from '../../support/chat-invariants.ts'
import { inputOf, STUB } from '../../support/chat-lists.ts'

// Few ids, some padded or empty, so that pairs break, repeat and cross in every way.
const id = fc.constantFrom('a', 'b', 'c', ' c', 'd ', 'd', 'e', 'f', '')
const size = fc.oneof(fc.nat(80), fc.nat(3000))
const words = fc
  .tuple(fc.constantFrom('alpha', 'añb😀', 'x\ny', '[SUMMARY', '/src/a.ts', '"q"'), size)
  .map(([word, n]) => word.repeat(1 + n / word.length))
const blank = fc.constantFrom('', '  ', null)
const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }
const old = fc.constantFrom(
  '[CONTEXT SUMMARY]: older facts',
  handoffText('## Goal\nearlier'),
  `${handoffText('earlier')}\n\nand then this`,
)
const marker = fc.constantFrom({}, { _db_persisted: true }, { x_vendor: [1] }, { api_content: 'raw' })
const args = fc.oneof(
  fc.constantFrom('{"half":', '', '{}', '[1,2]'),
  size.map((n) => JSON.stringify({ path: '/a/b.ts', content: 'é'.repeat(n), n: 7 })),
)

const OPENAI = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.oneof({ weight: 6, arbitrary: words }, { weight: 1, arbitrary: blank }, { weight: 1, arbitrary: old }),
        marker,
      )
      .map(([content, extra]) => ({ role: 'user', content, ...extra })),
  },
  { weight: 1, arbitrary: words.map((text) => ({ role: 'user', content: [{ type: 'text', text }, png] })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.oneof(words, blank, old), marker)
      .map(([content, extra]) => ({ role: 'assistant', content, ...extra })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.oneof(words, blank), fc.array(fc.tuple(id, args), { minLength: 1, maxLength: 3 }))
      .map(([content, calls]) => ({
        role: 'assistant',
        content,
        tool_calls: calls.map(([callId, text]) => ({
          id: callId,
          type: 'function',
          function: { name: 'write_file', arguments: text },
        })),
      })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        id,
        fc.oneof(
          words,
          blank,
          words.map((text) => [{ type: 'text', text }, png]),
        ),
      )
      .map(([callId, content]) => ({ role: 'tool', tool_call_id: callId, content })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { role: 'system', content: 'rules' },
      { role: 'developer', content: 'more rules' },
      { role: 'exit', content: 'bye' },
      { content: 'nobody' },
      {},
      { role: 'assistant', tool_calls: [null, 'x'] },
      { role: 'user', content: { odd: true } },
      { role: 'function', name: 'f', content: 'old style' },
    ),
  },
)

const blocksOfUser = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  fc
    .tuple(
      id,
      fc.oneof(
        words,
        words.map((text) => [{ type: 'text', text }]),
        fc.constant(undefined),
      ),
    )
    .map(([tool_use_id, content]) => ({
      type: 'tool_result',
      tool_use_id,
      ...(content === undefined ? {} : { content }),
    })),
  fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'base64,QUJD' } }),
  fc.constant({ type: 'document', source: { type: 'text', data: 'doc' } }),
)
const blocksOfAnswer = fc.oneof(
  words.map((text) => ({ type: 'text', text })),
  fc.tuple(id, size).map(([use, n]) => ({
    type: 'tool_use',
    id: use,
    name: 'Write',
    input: { file_path: '/a.ts', content: 'z'.repeat(n) },
  })),
  fc.constant({ type: 'thinking', thinking: 'hm', signature: 'sig' }),
  fc.constant({ type: 'redacted_thinking', data: 'blob' }),
  fc.constant({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } }),
)
const ANTHROPIC = fc.oneof(
  { weight: 2, arbitrary: fc.oneof(words, blank, old).map((content) => ({ role: 'user', content })) },
  { weight: 1, arbitrary: words.map((content) => ({ role: 'assistant', content })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.array(blocksOfUser, { maxLength: 4 }), marker)
      .map(([content, extra]) => ({ role: 'user', content, ...extra })),
  },
  {
    weight: 4,
    arbitrary: fc.array(blocksOfAnswer, { maxLength: 4 }).map((content) => ({ role: 'assistant', content })),
  },
)

const RESPONSES = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .oneof(words, old)
      .map((text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })),
  },
  { weight: 1, arbitrary: fc.oneof(words, blank).map((content) => ({ role: 'user', content })) },
  {
    weight: 2,
    arbitrary: words.map((text) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(id, args)
      .map(([call_id, text]) => ({ type: 'function_call', call_id, name: 'shell', arguments: text })),
  },
  {
    weight: 1,
    arbitrary: id.map((call_id) => ({
      type: 'custom_tool_call',
      call_id,
      name: 'apply_patch',
      input: '*** Begin Patch',
    })),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(id, words).map(([call_id, output]) => ({ type: 'function_call_output', call_id, output })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'blob' },
      { type: 'web_search_call', id: 'ws', status: 'completed', action: { query: 'q' } },
      { type: 'message', role: 'developer', content: 'rules' },
      { type: 'compaction', content: null },
    ),
  },
)

const SHAPES = { openai: OPENAI, anthropic: ANTHROPIC, responses: RESPONSES } as const

const settings = fc.record({
  window: fc.integer({ min: 500, max: 20_000 }),
  first: fc.nat(5),
  last: fc.nat(20),
  prune: fc.boolean(),
  compressionCount: fc.nat(2),
})

/** Texts of the newest user turn that asks something, as the input has them; null when it held an old summary too. */
function newestAsk(messages: readonly unknown[]): readonly string[] | null {
  for (const message of messages.toReversed() as { role?: unknown; content?: unknown }[]) {
    if (message.role !== 'user' || message.content === null || message.content === undefined) continue
    const parts: unknown[] = Array.isArray(message.content) ? message.content : [message.content]
    const own = parts.filter((part) => typeof part === 'string' || (part as { type?: unknown }).type !== 'tool_result')
    const texts = own.map(flatText)
    const onlyText = own.every(
      (part) => typeof part === 'string' || /text/.test(String((part as { type?: unknown }).type)),
    )
    if (onlyText && texts.join('').trim() === '') continue
    return texts.some((text) => text.includes('CONTEXT SUMMARY')) ? null : texts
  }
  return null
}

interface Choice {
  readonly window: number
  readonly first: number
  readonly last: number
  readonly prune: boolean
  readonly compressionCount: number
}

/** Compacts once and checks all that must hold; the compacted list, or null when nothing came of it. */
function checkPass(messages: readonly unknown[], format: ListFormat, choice: Choice): readonly unknown[] | null {
  deepFreeze(messages)
  const state = { ...FRESH_STATE, compressionCount: choice.compressionCount }
  const input = inputOf(messages, { format, ...choice, state })
  const plan = planList(input)
  expect(listCoverage(input, plan)).toHaveLength(messages.length)
  if (plan.kind === 'noop') return null
  if (plan.kind === 'pruned') {
    expect(brokenPair(plan.messages, format)).toBeNull()
    expect(plan.validity.pairs).toBe(true)
    expect(plan.tokensAfter * 20).toBeLessThan(plan.tokensBefore * 19)
    return null
  }
  const made = assembleList(plan, { text: STUB, bare: STUB })
  if (made.kind === 'rejected') return null
  expect(brokenInvariants(made.messages, format)).toEqual([])
  expect(made.validity).toMatchObject({ pairs: true, alternation: true })
  expect(made.tokensAfter * 20).toBeLessThan(made.tokensBefore * 19)
  expect(made.boundaries.end).toBeGreaterThan(made.boundaries.start)
  const all = made.messages.map(flatText).join('\n')
  for (const text of newestAsk(messages) ?? []) {
    expect(all).toContain(text)
    if (!made.noLiveUserTurn) expect(all.lastIndexOf(text)).toBeGreaterThan(all.search(END_LINE))
  }
  return made.messages
}

describe.each(['openai', 'anthropic', 'responses'] as const)('planList and assembleList on any %s list', (format) => {
  it('keep I1 to I8 in a first and a second pass, and never touch the input', () => {
    let passes = 0
    const list = fc.array(SHAPES[format] as fc.Arbitrary<unknown>, { minLength: 4, maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(list, list, settings, (messages, more, choice) => {
        const once = checkPass(messages, format, choice)
        if (once === null) return
        passes += 1
        checkPass([...once, ...more], format, { ...choice, compressionCount: 0 })
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 800), seed: Number(process.env['FUZZ_SEED'] ?? 20_260) },
    )
    // The property means nothing unless most random lists are really compacted.
    expect(passes).toBeGreaterThan(400)
  })
})
