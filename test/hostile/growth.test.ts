import { describe, expect, it } from 'vitest'
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
function timeOf(read: (text: string) => unknown, text: string, runs: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    try {
      read(text)
    } catch {
      // A refusal is an answer, too.
    }
    best = Math.min(best, performance.now() - startedAt)
  }
  return best
}

describe('every exported reader of text grows no faster than its text', () => {
  it('there are readers to measure', () => {
    expect(found.length).toBeGreaterThan(50)
  })

  it.each(found)('$name', { timeout: 240_000 }, ({ read }) => {
    const faults: string[] = []
    for (const [attack, textOf] of ATTACKS) {
      // What is fast at the largest size needs no second look.
      if (timeOf(read, textOf(4 * SIZE), 1) < LEAST_MS) continue
      const times = [1, 2, 4].map((factor) => timeOf(read, textOf(factor * SIZE), 3))
      const [one = 0, two = 0, four = 0] = times
      const isSlow = four > LEAST_MS && four > MOST * MOST * Math.max(one, LEAST_UNIT_MS) && four > MOST * two
      if (isSlow) faults.push(`${attack}: ${times.map((ms) => ms.toFixed(1)).join(', ')} ms`)
    }
    expect(faults).toEqual([])
  })
})
