import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleList } from '../../../src/domain/list/assemble/assemble-list.ts'
import { listCoverage } from '../../../src/domain/list/list-coverage.ts'
import { planList } from '../../../src/domain/list/plan/plan-list.ts'
import { FRESH_STATE } from '../../../src/domain/list/state.ts'
import { SHAPES } from '../../support/chat-arbitraries.ts'
import {
  brokenInvariants,
  brokenPair,
  type ChatFormat,
  deepFreeze,
  END_LINE,
  flatText,
} from '../../support/chat-invariants.ts'
import { inputOf, STUB } from '../../support/chat-lists.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const settings = fc.record({
  window: fc.integer({ min: 1, max: 20_000 }),
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
function checkPass(messages: readonly unknown[], format: ChatFormat, choice: Choice): readonly unknown[] | null {
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
  // Where nothing at the end is kept, the newest request is restored in the summary (summary/audit).
  for (const text of choice.last === 0 ? [] : (newestAsk(messages) ?? [])) {
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
      { numRuns: propertyRuns(250), seed: 20_260 },
    )
    // The property means nothing unless most random lists are really compacted.
    expect(passes).toBeGreaterThan(propertyRuns(125))
  })
})
