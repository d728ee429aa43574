import { describe, expect, it } from 'vitest'
import { listBudget, summaryBudget } from '../../../../src/domain/list/plan/list-budget.ts'
import { vectors } from '../../../support/chat-vectors.ts'

interface Threshold {
  readonly input: { readonly ctx: number; readonly out?: number; readonly pct?: number; readonly cap?: number }
  readonly threshold: number
  readonly tailBudget: number
  readonly softCeiling: number
  readonly maxSummary: number
}
interface Budget {
  readonly contentTokens: number
  readonly maxSummary: number
  readonly budget: number
}

describe('listBudget', () => {
  it.each(vectors<Threshold>('threshold'))('derives $threshold from $input', ({ input, ...wanted }) => {
    const budget = listBudget({
      contextWindow: input.ctx,
      maxOutputTokens: input.out,
      threshold: input.pct,
      thresholdTokens: input.cap,
    })
    expect(budget).toEqual({
      contextWindow: input.ctx,
      thresholdTokens: wanted.threshold,
      tailTokens: wanted.tailBudget,
      softCeilingTokens: wanted.softCeiling,
      maxSummaryTokens: wanted.maxSummary,
    })
  })

  it('#14690 a window of 64 000 is compacted before it is full', () => {
    expect(listBudget({ contextWindow: 64_000 }).thresholdTokens).toBe(54_400)
    expect(listBudget({ contextWindow: 8000 })).toMatchObject({
      thresholdTokens: 6800,
      tailTokens: 1360,
      softCeilingTokens: 2040,
    })
  })

  it('#43547 the reply is reserved for', () => {
    expect(listBudget({ contextWindow: 200_000, maxOutputTokens: 65_536 }).thresholdTokens).toBe(100_848)
  })

  it('takes a caller ratio as given, also under the floors of small windows', () => {
    expect(listBudget({ contextWindow: 100_000, threshold: 0.3 }).thresholdTokens).toBe(30_000)
    expect(listBudget({ contextWindow: 8000, threshold: 0.5 }).thresholdTokens).toBe(4000)
    expect(listBudget({ contextWindow: 8000, threshold: 1 }).thresholdTokens).toBe(8000)
  })

  it.each([0, -5, Number.NaN])('reads %d as no reservation and no cap', (none) => {
    expect(listBudget({ contextWindow: 128_000, maxOutputTokens: none, thresholdTokens: none }).thresholdTokens).toBe(
      96_000,
    )
  })

  it('a cap never lifts the trigger', () => {
    expect(listBudget({ contextWindow: 128_000, thresholdTokens: 500_000 }).thresholdTokens).toBe(96_000)
  })
})

describe('summaryBudget', () => {
  it.each(vectors<Budget>('summary-budget'))(
    'gives $budget for $contentTokens',
    ({ contentTokens, maxSummary, budget }) => {
      expect(summaryBudget(contentTokens, maxSummary)).toBe(budget)
    },
  )
})
