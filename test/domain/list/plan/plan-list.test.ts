import { describe, expect, it } from 'vitest'
import { handoffText } from '../../../../src/domain/list/assemble/handoff.ts'
import { listCoverage } from '../../../../src/domain/list/list-coverage.ts'
import { planList } from '../../../../src/domain/list/plan/plan-list.ts'
import { FRESH_STATE } from '../../../../src/domain/list/state.ts'
import type { ChatMessage } from '../../../../src/domain/tokens/chat-tokens.ts'
import { chatMessageTokens } from '../../../../src/domain/tokens/chat-tokens.ts'
import { brokenInvariants, flatText } from '../../../support/chat-invariants.ts'
import {
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
} from '../../../support/chat-lists.ts'

const work = (n: number, tokens = 300): ChatMessage[] =>
  Array.from({ length: n }, (_, k) => [calling(`s${k}`), result(`s${k}`, filler(tokens, `step${k}`))]).flat()

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
    expect(made.rowsToSummarize.some((row) => String(row.message.content).startsWith('step0'))).toBe(true)
    expect(made.head.at(-1)?.message.content).toMatch(/^\[shell\]/)
  })

  it('cuts by what rows weigh unpruned: results behind the cut come back as they came', () => {
    const list = [user('go'), says('a'), ...chat(2), ...work(60)]
    const made = summaryPlan(list)
    // The newest request, whose work is folded, stands in front of them.
    const [, ...kept] = made.tail.map(({ message }) => message)
    expect(kept).toEqual(list.slice(-kept.length))
    const { tailTokens, softCeilingTokens } = inputOf(list).budget
    const weight = kept.reduce((sum, message) => sum + chatMessageTokens(message), 0)
    expect(weight).toBeGreaterThan(tailTokens / 2)
    expect(weight).toBeLessThanOrEqual(softCeilingTokens)
  })

  it('T11 its own output is already compacted, with its state and without; force tries again', () => {
    const made = compacted(chat(20))
    const state = { ...FRESH_STATE, compressionCount: 1, lastRows: made.messages.length, lastTokens: made.tokensAfter }
    expect(plan(made.messages, { state })).toMatchObject({ kind: 'noop', reason: 'already-compacted' })
    expect(plan(made.messages)).toMatchObject({ kind: 'noop', reason: 'already-compacted' })
    expect(plan(made.messages, { state, force: true }).kind).not.toBe('noop')
    expect(plan([...made.messages, ...chat(9, 'new')], { state }).kind).toBe('plan')
  })

  it('a long run of work after the newest request is folded, the request standing behind the summary', () => {
    const list = [system, ...chat(4), user('THE ASK, word for word'), ...work(200, 40), says('still at it')]
    const made = compacted(list, { prune: false })
    const all = made.messages.map(flatText).join('\n')
    expect(all.split('--- END OF CONTEXT SUMMARY')[1]).toContain('\n\nTHE ASK, word for word')
    expect(all.split('THE ASK')).toHaveLength(2)
    expect(made.tokensAfter).toBeLessThan(5000)
    expect(made.noLiveUserTurn).toBe(false)
    expect(brokenInvariants(made.messages, 'openai')).toEqual([])
    const input = inputOf(list, { prune: false })
    expect(listCoverage(input, planList(input))[9]?.fate).toBe('kept')
    expect(plan(made.messages).kind).toBe('noop')
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
    const sum = made.messages.reduce((tokens, message) => tokens + chatMessageTokens(message), 0)
    expect(made.tokensAfter).toBe(sum)
  })

  it('names the newest three asks of the list as its focus', () => {
    const made = summaryPlan(chat(15))
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
    const list = [...chat(10), user('x'), says(filler(3000)), ...Array.from({ length: 8 }, () => user(parts))]
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
      'empty-answer-removed',
      'blank-echo-removed',
      'blank-echo-removed',
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
    expect(new Set(fates)).toEqual(new Set(['carried', 'summarized', 'ignored', 'kept']))
    // Of equal results the newest stays, also among the rows that are kept.
    const twice = inputOf([...chat(12), calling('h'), result('h', filler(200)), calling('i'), result('i', filler(200))])
    expect(listCoverage(twice, planList(twice)).map((row) => row.fate)).toContain('pruned')
    expect(listCoverage(inputOf(chat(1)), planList(inputOf(chat(1)))).map((row) => row.fate)).toEqual(['kept', 'kept'])
  })
})
