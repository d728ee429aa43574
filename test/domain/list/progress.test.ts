import { describe, expect, it } from 'vitest'
import { madeProgress, refundIteration } from '../../../src/domain/list/progress.ts'

describe('madeProgress', () => {
  it.each([
    [1000, 949, true],
    [1000, 950, false],
    [1000, 1000, false],
    [0, 0, false],
  ])('%i to %i tokens', (before, after, expected) => {
    expect(madeProgress(before, after)).toBe(expected)
  })
})

describe('refundIteration', () => {
  it.each([
    [
      'an overflow that helped',
      { max: 90, used: 42 },
      'overflow',
      true,
      { max: 90, used: 41, remaining: 49, refunded: 1 },
    ],
    [
      'an overflow that did not',
      { max: 90, used: 42 },
      'overflow',
      false,
      { max: 90, used: 42, remaining: 48, refunded: 0 },
    ],
    ['a threshold', { max: 90, used: 42 }, 'threshold', true, { max: 90, used: 42, remaining: 48, refunded: 0 }],
    ['nothing used yet', { max: 90, used: 0 }, 'overflow', true, { max: 90, used: 0, remaining: 90, refunded: 0 }],
    ['more used than allowed', { max: 5, used: 9 }, 'overflow', true, { max: 5, used: 8, remaining: 0, refunded: 1 }],
  ])('after %s', (_name, budget, reason, helped, expected) => {
    expect(refundIteration(budget, { reason, madeProgress: helped })).toEqual(expected)
  })
})
