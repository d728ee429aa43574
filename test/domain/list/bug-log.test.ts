import { describe, expect, it } from 'vitest'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { HANDOFF, handoffText, unwrapText } from '../../../src/domain/list/assemble/handoff.ts'
import { madeProgress } from '../../../src/domain/list/progress.ts'
import type { ChatMessage } from '../../../src/domain/tokens/chat-tokens.ts'
import { serialize } from '../../../src/domain/transcript/serialize.ts'
import { brokenInvariants, deepFreeze, flatText } from '../../support/chat-invariants.ts'
import {
  assembled,
  calling,
  chat,
  compacted,
  filler,
  plan,
  result,
  says,
  summaryPlan,
  system,
  user,
} from '../../support/chat-lists.ts'
import { vectors } from '../../support/chat-vectors.ts'

const texts = (messages: readonly unknown[]): string => messages.map(flatText).join('\n')
const work = (n: number, tokens = 300): ChatMessage[] =>
  Array.from({ length: n }, (_, k) => [calling(`s${k}`), result(`s${k}`, filler(tokens, `step${k}`))]).flat()

// One test for each report of docs/spec/lists.md §21 that concerns the pure part.
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

  it('a pass that saves under a twentieth is refused too (docs/bug-log.md B058)', () => {
    const list = [user(filler(9000, 'paste')), says('b'), user('c'), says(filler(480)), ...chat(4)]
    expect(assembled(list, { prune: false }, 'x')).toMatchObject({ kind: 'rejected', reason: 'ineffective' })
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
    const { rowsToSummarize } = summaryPlan([
      ...chat(3),
      calling('m'),
      result('m', 'made MEDIA:/tmp/x.png for you'),
      ...chat(14),
    ])
    const prompt = serialize(rowsToConversation(rowsToSummarize))
    expect(prompt).toContain('for you')
    expect(prompt).not.toContain('MEDIA:/tmp')
  })
})
