import { describe, expect, it } from 'vitest'
import { periodOf } from '../../../src/models/callers/period.ts'
import { memorySpending, NOTHING_SPENT } from '../../../src/models/callers/spending.ts'

const at = (iso: string) => Date.parse(iso)

describe('periodOf', () => {
  it.each([
    ['day', '2026-11-30T23:59:59.999Z', '2026-11-30', '2026-12-01T00:00:00.000Z'],
    ['day', '2026-12-31T00:00:00.000Z', '2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['month', '2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['month', '2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['month', '2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ] as const)('the %s of %s is %s and ends at %s', (per, now, name, end) => {
    expect(periodOf(per, at(now))).toEqual({ name, endsAt: at(end) })
  })
})

describe('memorySpending', () => {
  it('adds up by key, by day and by month, and begins anew with each', async () => {
    let now = at('2026-11-29T12:00:00Z')
    const spending = memorySpending({ now: () => now })
    spending.add('ci', { requests: 1, inputTokens: 100 })
    spending.add('ci', { outputTokens: 20, costUsd: 0.5, savedTokens: 7 })
    spending.add('other', { requests: 1 })
    const all = { requests: 1, inputTokens: 100, outputTokens: 20, costUsd: 0.5, savedTokens: 7 }
    expect(await spending.spent('ci', 'day')).toEqual(all)
    now = at('2026-11-30T12:00:00Z')
    expect(await spending.spent('ci', 'day')).toEqual(NOTHING_SPENT)
    spending.add('ci', { inputTokens: 1 })
    expect(await spending.spent('ci', 'month')).toEqual({ ...all, inputTokens: 101 })
    now = at('2026-12-01T00:00:00Z')
    expect(await spending.spent('ci', 'month')).toEqual(NOTHING_SPENT)
  })
})
