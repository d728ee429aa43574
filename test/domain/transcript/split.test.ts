import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitBalanced } from '../../../src/domain/transcript/split.ts'

const sizeOf = (sizes: readonly number[], { from, to }: { from: number; to: number }) =>
  sizes.slice(from, to).reduce((sum, size) => sum + size, 0)

/** The fewest runs there can be: filling each to the brim. */
function fewest(sizes: readonly number[], most: number): number {
  let runs = 0
  let left = 0
  for (const size of sizes) {
    if (runs === 0 || size > left) {
      runs += 1
      left = most
    }
    left -= size
  }
  return runs
}

describe('splitBalanced', () => {
  it('makes the fewest runs, none too large, none empty, every piece in exactly one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 60 }),
        fc.integer({ min: 100, max: 400 }),
        (sizes, most) => {
          const runs = splitBalanced(sizes, most)
          expect(runs.flatMap(({ from, to }) => sizes.slice(from, to))).toEqual(sizes)
          expect(runs.length).toBe(fewest(sizes, most))
          for (const run of runs) {
            expect(run.to).toBeGreaterThan(run.from)
            expect(sizeOf(sizes, run)).toBeLessThanOrEqual(most)
          }
        },
      ),
      { seed: 41, numRuns: 400 },
    )
  })

  it('balances instead of filling to the brim', () => {
    const sizes = Array.from({ length: 10 }, () => 10)
    expect(splitBalanced(sizes, 30).map((run) => run.to - run.from)).toEqual([2, 3, 2, 3])
    expect(
      splitBalanced(
        Array.from({ length: 21 }, () => 10),
        100,
      ).map((run) => run.to - run.from),
    ).toEqual([7, 7, 7])
  })

  it('keeps a border where balance would make a later run too large', () => {
    expect(splitBalanced([10, 10, 10, 90, 10], 100)).toEqual([
      { from: 0, to: 3 },
      { from: 3, to: 5 },
    ])
  })

  it('ends even with a piece larger than a run', () => {
    expect(splitBalanced([5, 500, 5], 100).map(({ from, to }) => to - from)).toEqual([1, 1, 1])
  })

  it('splits a million pieces in no time to speak of', () => {
    const sizes = Array.from({ length: 1_000_000 }, (_, i) => i % 7)
    expect(splitBalanced(sizes, 1_000).length).toBe(fewest(sizes, 1_000))
  })
})
