import type { Clock } from '../clock.ts'
import { type PeriodLength, periodOf } from './period.ts'

/** What one key has used in one period. */
export interface Spent {
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
  /** What compactions took out of the contexts of its agents. */
  readonly savedTokens: number
}

export const NOTHING_SPENT: Spent = { requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, savedTokens: 0 }

/** Counts what keys use, by day and by month. */
export interface Spending {
  add(caller: string, more: Partial<Spent>): void
  /** Resolves when `spent` includes what was added. */
  settled(): Promise<void>
  spent(caller: string, per: PeriodLength): Promise<Spent>
}

export const addSpent = (one: Spent, more: Partial<Spent>): Spent => ({
  requests: one.requests + (more.requests ?? 0),
  inputTokens: one.inputTokens + (more.inputTokens ?? 0),
  outputTokens: one.outputTokens + (more.outputTokens ?? 0),
  costUsd: one.costUsd + (more.costUsd ?? 0),
  savedTokens: one.savedTokens + (more.savedTokens ?? 0),
})

const LENGTHS = ['day', 'month'] as const

/** Of this process, since its start. */
export function memorySpending(clock: Pick<Clock, 'now'>): Spending {
  const counts = new Map<string, { period: string; spent: Spent }>()
  const current = (caller: string, per: PeriodLength): Spent => {
    const found = counts.get(`${per} ${caller}`)
    return found?.period === periodOf(per, clock.now()).name ? found.spent : NOTHING_SPENT
  }
  return {
    add(caller, more) {
      for (const per of LENGTHS) {
        const spent = addSpent(current(caller, per), more)
        counts.set(`${per} ${caller}`, { period: periodOf(per, clock.now()).name, spent })
      }
    },
    settled: async () => {},
    spent: async (caller, per) => current(caller, per),
  }
}
