import { describe, expect, it } from 'vitest'
import type { Budget } from '../../../src/models/callers/caller-limits.ts'
import { memorySpending } from '../../../src/models/callers/spending.ts'
import { withBudget } from '../../../src/models/wrappers/budget.ts'
import { fakeModel, requestOf, says } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const never = new AbortController().signal

function stage(budget: Budget) {
  const clock = virtualClock(Date.parse('2026-11-30T18:00:00Z'))
  const spending = memorySpending(clock)
  const limitsOf = (caller: string) => ({ weight: 1, budget: caller === 'poor' ? budget : undefined })
  const model = withBudget(fakeModel('alpha/small', [says('alpha/small', 'Fine.')]), { limitsOf, spending, clock })
  return { clock, spending, ask: (caller?: string) => model.complete(requestOf({ caller }), never) }
}

describe('withBudget', () => {
  it.each([
    ['tokens', { tokens: 100, per: 'day' }, { inputTokens: 60, outputTokens: 40 }, 6 * 3_600_000],
    ['dollars', { usd: 2, per: 'month' }, { inputTokens: 1, costUsd: 2 }, 6 * 3_600_000],
  ] as const)(
    'refuses what is over a budget in %s, and says when there is a new one',
    async (_what, budget, spent, ms) => {
      const { clock, spending, ask } = stage(budget)
      await ask('poor')
      spending.add('poor', spent)
      await expect(ask('poor')).rejects.toMatchObject({
        code: 'budget-exhausted',
        message: expect.stringContaining('2026-12-01T00:00:00.000Z'),
        extras: { retryAfterMs: ms },
      })
      await ask('rich')
      await ask()
      await clock.advance(ms)
      await ask('poor')
    },
  )
})
