import { RecapdError } from '../../domain/errors.ts'
import type { LimitsOf } from '../callers/caller-limits.ts'
import { periodOf } from '../callers/period.ts'
import type { Spending } from '../callers/spending.ts'
import type { Clock } from '../clock.ts'
import { type CompletionRequest, type Model, wrapModel } from '../model.ts'

export interface BudgetOptions {
  readonly limitsOf: LimitsOf
  readonly spending: Spending
  readonly clock: Clock
}

/** Refuses calls that a key has no budget left for. It stands inside the cache: answers that cost nothing are still given (docs/spec/production.md §4). */
export function withBudget(model: Model, options: BudgetOptions): Model {
  const { limitsOf, spending, clock } = options

  async function refuseExhausted(caller: string): Promise<void> {
    const { budget } = limitsOf(caller)
    if (budget === undefined) return
    const { inputTokens, outputTokens, costUsd } = await spending.spent(caller, budget.per)
    const isOver = costUsd >= (budget.usd ?? Number.POSITIVE_INFINITY)
    if (!isOver && inputTokens + outputTokens < (budget.tokens ?? Number.POSITIVE_INFINITY)) return
    const { endsAt } = periodOf(budget.per, clock.now())
    throw new RecapdError(
      'budget-exhausted',
      `The budget of the key ${caller} for this ${budget.per} is used up; it has a new one from ${new Date(endsAt).toISOString()}.`,
      { retryAfterMs: endsAt - clock.now() },
    )
  }

  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const { caller } = request
    if (caller === undefined || limitsOf(caller).budget === undefined) return model.complete(request, signal)
    await refuseExhausted(caller)
    try {
      return await model.complete(request, signal)
    } finally {
      // The next request of this key, on whichever replica, must find it.
      await spending.settled()
    }
  }
  return wrapModel(model, complete)
}
