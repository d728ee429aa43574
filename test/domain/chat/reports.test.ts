import { describe, expect, it } from 'vitest'
import { HANDOFF, handoffText, unwrapText } from '../../../src/domain/chat/handoff.ts'
import { listCoverage } from '../../../src/domain/chat/list-coverage.ts'
import { planList } from '../../../src/domain/chat/plan-list.ts'
import { FRESH_STATE } from '../../../src/domain/chat/state.ts'
import { transcriptOfRows } from '../../../src/domain/chat/transcript-rows.ts'
import { madeProgress } from '../../../src/domain/compaction/progress.ts'
import type { ChatMessage } from '../../../src/domain/tokens/chat.ts'
import { messageTokens } from '../../../src/domain/tokens/chat.ts'
import { serialise } from '../../../src/domain/transcript/serialise.ts'
import { brokenInvariants, deepFreeze, flatText } from '../../support/chat-invariants.ts'
import {
  assembled,
  calling,
  chat,
  compacted,
  filler,
  image,
  inputOf,
  plan,
  result,
  STUB,
  says,
  summaryPlan,
  system,
  user,
} from '../../support/chat-lists.ts'
import { vectors } from '../../support/chat-vectors.ts'

const texts = (messages: readonly unknown[]): string => messages.map(flatText).join('\n')
const work = (n: number, tokens = 300): ChatMessage[] =>
  Array.from({ length: n }, (_, k) => [calling(`s${k}`), result(`s${k}`, filler(tokens, `step${k}`))]).flat()

// One test for each report of hermes-spec §21 that concerns the pure part.
describe('reports about message lists', () => {
  it('#55572 #51800 an answer heavy with hidden replay items falls into the middle, not the tail', () => {
    const heavy = { ...says('ok'), codex_reasoning_items: [{ encrypted_content: 'A'.repeat(40_000) }] }
    const made = compacted([...chat(4), user('x'), heavy, ...chat(5)])
    expect(made.messages).not.toContain(heavy)
    expect(made.tokensBefore - made.tokensAfter).toBeGreaterThan(10_000)
  })

  it('#57491 store markers are in no output row and still in the input', () => {
    const list = deepFreeze(
      chat(15).map((message, n) => ({ ...message, _db_persisted: true, ...(n % 2 ? { _cache: 1 } : {}) })),
    )
    const made = compacted(list)
    expect(brokenInvariants(made.messages, 'openai')).toEqual([])
    expect(list.every((message) => message._db_persisted)).toBe(true)
  })

  it('arguments of a tool keep their underscores: only top-level keys are swept', () => {
    const odd = {
      role: 'assistant',
      content: 'x',
      _id: 1,
      tool_calls: [{ id: 'a', _index: 0, type: 'function', function: { name: 'f', arguments: '{"_k":1}' } }],
    }
    const kept = compacted([...chat(14), user('go'), odd, result('a')]).messages.at(-2)
    expect(kept).toEqual({ role: 'assistant', content: 'x', tool_calls: odd.tool_calls })
  })

  it('#11475 #14521 #41607 the live ask stands behind the END marker, word for word', () => {
    const made = compacted([user(handoffText('do task A')), ...chat(14), user('B: something else entirely')])
    const [before, after] = texts(made.messages).split('--- END OF CONTEXT SUMMARY')
    expect(before).toContain(HANDOFF.prefix)
    expect(after?.endsWith('B: something else entirely')).toBe(true)
    expect(made.noLiveUserTurn).toBe(false)
  })

  it('#80622 says when no real user is left after the summary', () => {
    const made = compacted([system, user('do it all'), ...work(20), says('all done')])
    expect(made.noLiveUserTurn).toBe(true)
    expect(texts(made.messages)).toContain('do it all')
  })

  it('#33256 #38389 a summary is known by its words and is never an assistant row', () => {
    const made = compacted(chat(15))
    const row = made.messages.find((message) => unwrapText(flatText(message)) !== null)
    expect(row?.role).toBe('user')
    expect(Object.keys(row ?? {}).sort()).toEqual(['content', 'role'])
  })

  it.each(vectors<{ readonly tokens: readonly [number, number]; readonly progress: boolean }>('progress'))(
    '#39548 progress of $tokens is $progress, by tokens alone',
    ({ tokens: [before, after], progress }) => {
      expect(madeProgress(before, after)).toBe(progress)
    },
  )

  it('#23767 a summary larger than what it replaces is refused', () => {
    const made = assembled(chat(15), {}, filler(9000))
    expect(made).toMatchObject({ kind: 'rejected', reason: 'inflated' })
    expect(made.tokensAfter).toBeGreaterThan(made.tokensBefore)
  })

  it('a pass that saves under a twentieth is refused too (bug-log B058)', () => {
    const list = [user(filler(9000, 'paste')), says('b'), user('c'), says(filler(480)), ...chat(4)]
    expect(assembled(list, {}, 'x')).toMatchObject({ kind: 'rejected', reason: 'ineffective' })
  })

  it('#52160 the second pass of a list with a system prompt puts a user first', () => {
    const once = compacted([system, ...chat(15)])
    const twice = compacted([...once.messages, ...chat(12, 'more')])
    expect(brokenInvariants(twice.messages, 'openai')).toEqual([])
    expect(twice.messages[0]?.content).toBe(once.messages[0]?.content)
    expect(twice.messages[1]?.role).toBe('user')
  })

  it('#58753 #59122 one user and nothing but work after it leaves a user row', () => {
    const made = compacted([user('go'), ...work(15)], { first: 0 })
    expect(brokenInvariants(made.messages, 'openai')).toEqual([])
  })

  it('#57835 a failed pass leaves nothing behind: planning again finds the same earlier summary', () => {
    const list = [user(handoffText('earlier facts')), ...chat(15)]
    expect([summaryPlan(list).previousSummary, summaryPlan(list).previousSummary]).toEqual([
      'earlier facts',
      'earlier facts',
    ])
  })

  it('#59496 a window of nothing but summaries costs no model call', () => {
    const list = [
      user(handoffText('a')),
      user('[CONTEXT SUMMARY]: b'),
      ...Array.from({ length: 9 }, () => user(handoffText('c'))),
    ]
    expect(plan(list)).toMatchObject({ kind: 'noop', reason: 'nothing-to-compact' })
  })

  it('#14665 no MEDIA: directive reaches the summariser', () => {
    const { rowsToSummarise } = summaryPlan([
      ...chat(3),
      calling('m'),
      result('m', 'made MEDIA:/tmp/x.png for you'),
      ...chat(14),
    ])
    const prompt = serialise(transcriptOfRows(rowsToSummarise), { neutralisesMedia: true })
    expect(prompt).toContain('for you')
    expect(prompt).not.toContain('MEDIA:/tmp')
  })
})

describe('planList', () => {
  it('hands the region over as it came, pruned rows only to the list', () => {
    const made = summaryPlan([
      user('go'),
      says('a'),
      calling('h'),
      result('h', filler(300, 'head')),
      ...work(12),
      ...chat(3),
    ])
    expect(made.rowsToSummarise.some((row) => String(row.message.content).startsWith('step0'))).toBe(true)
    expect(made.head.at(-1)?.message.content).toMatch(/^\[shell\]/)
  })

  it('T11 its own output, given back with the state, is already compacted; force tries again', () => {
    const made = compacted(chat(20))
    const state = { ...FRESH_STATE, compressionCount: 1, lastRows: made.messages.length, lastTokens: made.tokensAfter }
    expect(plan(made.messages, { state })).toMatchObject({ kind: 'noop', reason: 'already-compacted' })
    expect(plan(made.messages, { state, force: true }).kind).not.toBe('noop')
    expect(plan([...made.messages, ...chat(9, 'new')], { state }).kind).toBe('plan')
  })

  it('a short list of huge results is pruned without a summary (#61932)', () => {
    const list = [
      user('look'),
      calling('a', 'b', 'c'),
      ...['a', 'b', 'c'].map((id) => result(id, filler(50_000, id))),
      says('well'),
    ]
    const made = plan(list.map((message) => ({ ...message, _mark: 1 })))
    expect(made.kind).toBe('pruned')
    if (made.kind !== 'pruned') return
    expect(made.messages.map((message) => (message as ChatMessage).role)).toEqual(list.map((message) => message.role))
    expect(made.messages[0]).toEqual(list[0])
    expect(made.validity).toEqual({ pairs: true, alternation: true, repaired: [] })
    expect(plan(list, { prune: false }).kind).toBe('noop')
  })

  it('a system prompt and tools count in every figure', () => {
    const bare = compacted(chat(15))
    const full = compacted(chat(15), { system: 'x'.repeat(400), tools: [{ name: 'f' }] })
    expect([full.tokensBefore - bare.tokensBefore, full.tokensAfter - bare.tokensAfter]).toEqual([104, 104])
  })

  it('the figure after the pass is what the next request is measured at', () => {
    const made = compacted([system, ...chat(15)])
    const sum = made.messages.reduce((tokens, message) => tokens + messageTokens(message), 0)
    expect(made.tokensAfter).toBe(sum)
  })

  it('names the newest ask of the region and the newest three of the list', () => {
    const made = summaryPlan(chat(15))
    expect(made.newestAsk).toContain('request 10')
    expect(made.autoFocus).toMatch(/request 12.*request 13.*request 14/)
    expect(made.autoFocus?.length).toBeLessThanOrEqual(700)
  })

  it('is linear: 100 000 messages within seconds', () => {
    const list = Array.from({ length: 25_000 }, (_, n) => [
      user(`ask ${n}`),
      calling(`c${n}`),
      result(`c${n}`, filler(60, `r${n}`)),
      says(`done ${n}`),
    ]).flat()
    const made = compacted(list)
    expect(made.droppedCount).toBeGreaterThan(99_000)
    expect(brokenInvariants(made.messages, 'openai')).toEqual([])
  }, 20_000)
})

describe('assembleList', () => {
  it('merges in front of a list content and leaves its parts alone', () => {
    const parts = [{ type: 'text', text: 'look' }, image()]
    const list = [...chat(10), user('x'), says(filler(300)), ...Array.from({ length: 8 }, () => user(parts))]
    const merged = compacted(list).messages.find(
      (message) => Array.isArray(message.content) && flatText(message).includes(STUB),
    )
    expect(merged?.content).toEqual([
      { type: 'text', text: handoffText(STUB) },
      { type: 'text', text: 'look' },
      expect.anything(),
    ])
  })

  it('tells the system prompt once', () => {
    const once = compacted([system, ...chat(15)])
    expect(String(once.messages[0]?.content).startsWith(`${system.content}\n\nNote:`)).toBe(true)
    const parts = compacted([{ role: 'system', content: [{ type: 'text', text: 'rules' }] }, ...chat(15)])
    expect(parts.messages[0]?.content).toHaveLength(2)
    expect(compacted([{ role: 'system', content: null }, ...chat(15)]).messages[0]?.content).toMatch(/^Note:/)
  })

  it('drops blank echoes of the newest ask, and empty answers, and says so', () => {
    const made = compacted([
      ...chat(14),
      { role: 'assistant', content: '' },
      user('ask'),
      user(null),
      user('  '),
      says('answer'),
    ])
    expect(made.messages.slice(-2).map((message) => message.content)).toEqual(['ask', 'answer'])
    expect(made.validity.repaired.map((repair) => repair.what)).toEqual([
      'blank-echo-removed',
      'blank-echo-removed',
      'empty-answer-removed',
    ])
  })

  it('drops the exact-bytes copy of rewritten rows only', () => {
    const list = chat(15).map((message) => ({ ...message, api_content: 'bytes' }))
    const made = compacted(list)
    const merged = made.messages.find((message) => flatText(message).includes(STUB))
    expect(merged).not.toHaveProperty('api_content')
    expect(made.messages.at(-1)).toBe(list.at(-1))
  })
})

describe('listCoverage', () => {
  it('gives every message one fate', () => {
    const list = [
      user(handoffText('old')),
      ...chat(3),
      result('orphan'),
      calling('h'),
      result('h', filler(400)),
      ...work(9),
      ...chat(2),
    ]
    const input = inputOf(list)
    const fates = listCoverage(input, planList(input)).map((row) => row.fate)
    expect(fates).toHaveLength(list.length)
    expect(fates[0]).toBe('carried')
    expect(fates[7]).toBe('ignored')
    expect(new Set(fates)).toEqual(new Set(['carried', 'summarized', 'ignored', 'kept', 'pruned']))
    expect(listCoverage(inputOf(chat(1)), planList(inputOf(chat(1)))).map((row) => row.fate)).toEqual(['kept', 'kept'])
  })
})
