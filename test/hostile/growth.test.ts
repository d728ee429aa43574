import { describe, expect, it } from 'vitest'
import { callOf } from '../../src/domain/conversation/call.ts'
import { ConversationBuilder } from '../../src/domain/conversation/conversation-builder.ts'
import { ATTACKS } from './attack-texts.ts'
import { readers } from './readers.ts'

/** Characters of the smallest text; the others are twice and four times as long. */
const SIZE = 15_000
/** Below this a clock says nothing: collections and compilers take as long. */
const LEAST_MS = 50
/** docs/spec/hostile.md §1: over three times as long for twice as much fails, and nine times for four times as much. */
const MOST = 3
const LEAST_UNIT_MS = 1

const found = await readers()

/** The best of some runs: what is measured is the work, not the machine. */
function timeOf(work: () => unknown, runs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    try {
      work()
    } catch {
      // A refusal is an answer, too.
    }
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}

/** The times of work of the one, two and fourfold size where they grow faster than the size; null where all is well. */
function tooFast(workOf: (factor: number) => () => unknown): string | null {
  // What is fast at the largest size needs no second look.
  if (timeOf(workOf(4), 1) < LEAST_MS) return null
  const times = [1, 2, 4].map((factor) => timeOf(workOf(factor), 3))
  const [one = 0, two = 0, four = 0] = times
  const isSlow = four > LEAST_MS && four > MOST * MOST * Math.max(one, LEAST_UNIT_MS) && four > MOST * two
  return isSlow ? `${times.map((ms) => ms.toFixed(1)).join(', ')} ms` : null
}

describe('every exported reader of text grows no faster than its text', () => {
  it('there are readers to measure', () => {
    expect(found.length).toBeGreaterThan(50)
  })

  it.each(found)('$name', { timeout: 240_000 }, ({ read }) => {
    const faults: string[] = []
    for (const [attack, textOf] of ATTACKS) {
      const times = tooFast((factor) => {
        const text = textOf(factor * SIZE)
        return () => read(text)
      })
      if (times !== null) faults.push(`${attack}: ${times}`)
    }
    expect(faults).toEqual([])
  })
})

const ROWS = 5_000
const callNo = (number: number) => callOf({ id: `c${number}`, name: 'f', arguments: '{}' })

describe('a conversation grows no faster than its rows', () => {
  it.each<[what: string, add: (builder: ConversationBuilder, count: number) => void]>([
    [
      'calls of one answer that nobody answers',
      (builder, count) =>
        builder.assistant(
          [1],
          Array.from({ length: count }, (_, number) => callNo(number)),
        ),
    ],
    ['notices of one row', (builder, count) => builder.user([1], ['<skill>a</skill>\n'.repeat(count)])],
    [
      'blocks of one row',
      (builder, count) =>
        builder.user(
          [1],
          Array.from({ length: count }, () => 'go on'),
        ),
    ],
  ])('%s', { timeout: 240_000 }, (_what, add) => {
    const times = tooFast((factor) => () => {
      const builder = new ConversationBuilder({ unanswered: 'unknown' })
      add(builder, factor * ROWS)
      return builder.build()
    })
    expect(times).toBeNull()
  })
})
