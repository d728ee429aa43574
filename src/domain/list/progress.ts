/** True when a pass saved more than 5 %: tokens alone decide (docs/spec/compaction.md §12). */
export function madeProgress(tokensBefore: number, tokensAfter: number): boolean {
  return tokensAfter * 20 < tokensBefore * 19
}

export interface IterationBudget {
  readonly max: number
  readonly used: number
}

export interface IterationBudgetAfter extends IterationBudget {
  readonly remaining: number
  readonly refunded: 0 | 1
}

/**
 * The agent's iteration budget after a pass. One iteration is given back when an overflow interrupted a call and the pass made
 * progress; never more, so a loop of overflows still ends (docs/spec/compaction.md §12).
 */
export function refundIteration(
  budget: IterationBudget,
  pass: { readonly reason: string; readonly madeProgress: boolean },
): IterationBudgetAfter {
  const refunded = pass.reason === 'overflow' && pass.madeProgress && budget.used > 0 ? 1 : 0
  const used = Math.max(0, budget.used - refunded)
  return { max: budget.max, used, remaining: Math.max(0, budget.max - used), refunded }
}
