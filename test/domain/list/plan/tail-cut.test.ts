import { describe, expect, it } from 'vitest'
import type { Row } from '../../../../src/domain/dialects/row.ts'
import { findBoundaries } from '../../../../src/domain/list/plan/boundaries.ts'
import { findTailCut } from '../../../../src/domain/list/plan/tail-cut.ts'
import type { ChatMessage } from '../../../../src/domain/tokens/chat-tokens.ts'
import { chatMessageTokens } from '../../../../src/domain/tokens/chat-tokens.ts'
import { call, calling, filler, image, result, rowsOf, says, system, user } from '../../../support/chat-lists.ts'
import { vectors } from '../../../support/chat-vectors.ts'

interface TailCut {
  readonly name: string
  readonly messages_role_est: readonly (readonly [string, number])[]
  readonly start: number
  readonly tailBudget: number
  readonly protectLast: number
  readonly cut: number
}

/** A row of the role that weighs so many tokens; the answer before tool rows has the calls a and b. */
function weighing(role: string, tokens: number, next: string | undefined, nth: number): ChatMessage {
  const base: ChatMessage =
    role === 'tool'
      ? { role, tool_call_id: nth % 2 ? 'a' : 'b' }
      : next === 'tool'
        ? { role, tool_calls: [call('a', 'f', '{}'), call('b', 'f', '{}')] }
        : { role }
  return { ...base, content: 'x'.repeat(4 * (tokens - chatMessageTokens({ ...base, content: '' }))) }
}

const BUDGET = { tailTokens: 1000, softCeilingTokens: 1500, protectFirst: 3, protectLast: 3, decayed: false }
const turns = (n: number): ChatMessage[] =>
  Array.from({ length: n }, (_, turn) => [user(`ask ${turn}`), says(filler(200, `r${turn}`))]).flat()
const bounds = (messages: readonly ChatMessage[], options: Partial<typeof BUDGET> = {}) =>
  findBoundaries(rowsOf(messages), { ...BUDGET, ...options })

describe('findTailCut', () => {
  it.each(vectors<TailCut>('tail-cut'))('$name: cuts at $cut', ({ messages_role_est, tailBudget, cut, ...options }) => {
    const rows: Row[] = rowsOf(
      messages_role_est.map(([role, tokens], at) => weighing(role, tokens, messages_role_est[at + 1]?.[0], at)),
    )
    expect(rows.map((row) => chatMessageTokens(row.message))).toEqual(messages_role_est.map(([, tokens]) => tokens))
    const budget = { tailTokens: tailBudget, softCeilingTokens: Math.floor(tailBudget * 1.5) }
    expect(findTailCut(rows, { ...options, ...budget }).cut).toBe(cut)
  })
})

describe('findBoundaries', () => {
  it('protects the system prompt and the first turns, and lets them go once compacted (#11996)', () => {
    expect(bounds([system, ...turns(12)])?.start).toBe(4)
    expect(bounds([system, ...turns(12)], { decayed: true })?.start).toBe(1)
    expect(bounds([system, system, ...turns(12)], { protectFirst: 0 })?.start).toBe(2)
  })

  it('slides the head past the results of its last call', () => {
    expect(bounds([user('go'), says('well'), calling('a', 'b'), result('a'), result('b'), ...turns(9)])?.start).toBe(5)
  })

  it('#52160 a head that does not open with a user is no head', () => {
    expect(bounds([system, says('hello, how can I help?'), ...turns(9)])?.start).toBe(1)
  })

  it('never parts a call from its results, wherever the budget falls', () => {
    const list = [
      user('go'),
      ...Array.from({ length: 12 }, (_, n) => [
        calling(`a${n}`, `b${n}`),
        result(`a${n}`, filler(90)),
        result(`b${n}`, filler(90)),
      ]).flat(),
    ]
    for (let tailTokens = 50; tailTokens < 3000; tailTokens += 50) {
      const cut = bounds(list, { tailTokens, softCeilingTokens: tailTokens * 1.5 })?.end ?? 1
      expect(list[cut]?.role).toBe('assistant')
    }
  })

  it('#10896 the newest ask stays when a huge result follows it', () => {
    const list = [...turns(9), user('THE ASK'), calling('big'), result('big', filler(9000)), says('reading')]
    const end = bounds(list)?.end ?? 0
    expect(end).toBeLessThanOrEqual(18)
  })

  it('#22523 an ask that opens the region is kept in the head, not parted from its answer', () => {
    const list = [
      system,
      user('do it all'),
      ...Array.from({ length: 12 }, (_, n) => [calling(`s${n}`), result(`s${n}`, filler(200))]).flat(),
      says('nearly'),
    ]
    expect(bounds(list, { decayed: true })?.start).toBe(2)
  })

  it('#29824 the newest answer with text stays', () => {
    const list = [
      ...turns(8),
      says('the visible reply'),
      ...Array.from({ length: 9 }, (_, n) => [calling(`s${n}`), result(`s${n}`, filler(300))]).flat(),
    ]
    expect(bounds(list)?.end).toBeLessThanOrEqual(16)
  })

  it('takes the answer before the live ask along, so that the summary stands alone', () => {
    const list = [
      ...turns(8),
      says('bridge'),
      user('THE ASK'),
      ...Array.from({ length: 9 }, (_, n) => [calling(`s${n}`), result(`s${n}`, filler(300))]).flat(),
    ]
    expect(list[bounds(list)?.end ?? 0]).toMatchObject({ content: 'bridge' })
  })

  it('counts an image as an ask, a blank or synthetic row as none', () => {
    const work = Array.from({ length: 9 }, (_, n) => [calling(`s${n}`), result(`s${n}`, filler(300))]).flat()
    const list = (newest: unknown): ChatMessage[] => [
      ...turns(6),
      user('typed'),
      says('x'),
      ...work,
      user(newest),
      ...work,
    ]
    // A tail so small that the newest request is always carried behind the summary, which tells where it is.
    const carried = (newest: unknown) => bounds(list(newest), { tailTokens: 100, softCeilingTokens: 150 })?.liveAsk
    expect(carried([image()])).toBe(32)
    expect(carried('  ')).toBe(12)
    expect(carried('<system-reminder>mind the gap</system-reminder>')).toBe(12)
    expect(carried('Continue if you have next steps.')).toBe(12)
  })

  it('carries the newest request behind the summary when the work since is too much to keep', () => {
    const work = Array.from({ length: 60 }, (_, n) => [calling(`s${n}`), result(`s${n}`, filler(300))]).flat()
    const list = [...turns(4), user('THE ASK'), ...work]
    const found = bounds(list)
    expect(found?.liveAsk).toBe(8)
    expect(found?.end).toBeGreaterThan(100)
    expect(bounds(list.slice(0, 13))?.liveAsk).toBeNull()
  })

  it('lets go of an answer when the silent work after it is too much to keep', () => {
    const work = (n: number, id: string): ChatMessage[] =>
      Array.from({ length: n }, (_, k) => [calling(`${id}${k}`), result(`${id}${k}`, filler(300))]).flat()
    const list = [user('go'), ...work(6, 'a'), says('I start'), ...work(5, 'b')]
    expect([bounds(list)?.end, bounds(list, { tailTokens: 400, softCeilingTokens: 600 })?.end]).toEqual([11, 22])
    expect(bounds([user('go'), says('I start'), ...work(40, 'c')])?.end).toBeGreaterThan(70)
  })

  it.each([
    ['empty', []],
    ['only a system prompt', [system]],
    ['one message', [user('hi')]],
    ['no more than head and four', [system, ...turns(2), user('x')]],
    ['only instructions', [system, system, system, system, system, system, system, system, system]],
    [
      'one call and its results',
      [
        user('go'),
        calling('a', 'b', 'c', 'd', 'e', 'f'),
        ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => result(id, filler(900))),
      ],
    ],
  ])('finds nothing in a list that is %s', (_name, list) => {
    expect(bounds(list, { protectFirst: 1 })).toBeNull()
  })
})
