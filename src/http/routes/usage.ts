import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Budget } from '../../models/callers/caller-limits.ts'
import { type PeriodLength, periodOf } from '../../models/callers/period.ts'
import type { Spending, Spent } from '../../models/callers/spending.ts'
import { parseRequest } from '../../requests/parse-request.ts'
import type { KeyRing } from '../key-ring.ts'
import type { usageResult } from '../usage-schema.ts'

/** `?per=day`: the running day instead of the running month. */
const usageQuery = z.object({ per: z.enum(['day', 'month']).default('month') })

export interface UsageDependencies {
  readonly keyRing: KeyRing
  readonly spending: Spending
}

/** What keys have used: each its own, those with `admin: true` all (docs/spec/production.md §4). */
export function usageRoute(app: FastifyInstance, { keyRing, spending }: UsageDependencies): void {
  app.get('/usage', { config: { access: 'own' } }, async (request) => {
    const { per } = parseRequest(usageQuery, request.query)
    const { name, admin } = request.caller
    const names = admin ? keyRing.names() : [name]
    const keys = await Promise.all(names.map((one) => rowOf(one, per)))
    return { period: periodOf(per, Date.now()).name, keys } satisfies z.output<typeof usageResult>
  })

  async function rowOf(name: string, per: PeriodLength) {
    const spent = await spending.spent(name, per)
    const { budget } = keyRing.limitsOf(name)
    const { requests, inputTokens, outputTokens, costUsd, savedTokens } = spent
    return {
      name,
      requests,
      tokens: { input: inputTokens, output: outputTokens },
      costUsd,
      savedTokens,
      budget: budget === undefined ? undefined : budgetOf(budget, await spending.spent(name, budget.per)),
    }
  }
}

function budgetOf({ usd, tokens, per }: Budget, spent: Spent) {
  const left = (limit: number | undefined, used: number) =>
    limit === undefined ? undefined : Math.max(0, limit - used)
  const remaining = { usd: left(usd, spent.costUsd), tokens: left(tokens, spent.inputTokens + spent.outputTokens) }
  return { usd, tokens, per, remaining }
}
