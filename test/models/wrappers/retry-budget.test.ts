import { describe, expect, it } from 'vitest'
import { createRetryBudget } from '../../../src/models/wrappers/retry-budget.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

describe('createRetryBudget', () => {
  const drain = (budget: { withdraw(): boolean }) => {
    let taken = 0
    while (taken < 100 && budget.withdraw()) taken += 1
    return taken
  }

  it('holds ten at the start and no more after a long rest', async () => {
    const clock = virtualClock()
    const budget = createRetryBudget({ ratio: 0.2, clock })
    expect(drain(budget)).toBe(10)
    await clock.advance(3_600_000)
    expect(drain(budget)).toBe(10)
  })

  it('fills by three a second without any request', async () => {
    const clock = virtualClock()
    const budget = createRetryBudget({ ratio: 0, clock })
    drain(budget)
    await clock.advance(1000)
    expect(drain(budget)).toBe(3)
  })

  it('earns its ratio with each request', () => {
    const budget = createRetryBudget({ ratio: 0.25, clock: virtualClock() })
    drain(budget)
    for (let i = 0; i < 8; i += 1) budget.deposit()
    expect(drain(budget)).toBe(2)
  })
})
