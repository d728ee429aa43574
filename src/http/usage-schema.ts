import { z } from 'zod'

const money = z.object({ usd: z.number().optional(), tokens: z.number().optional() })

export const usageResult = z.object({
  period: z.string().describe('the month (`2026-11`) or day (`2026-11-30`) of UTC that is counted'),
  keys: z.array(
    z.object({
      name: z.string(),
      requests: z.number(),
      tokens: z.object({ input: z.number(), output: z.number() }),
      costUsd: z.number(),
      savedTokens: z.number().describe('taken out of the contexts of agents by compactions'),
      budget: money
        .extend({
          per: z.enum(['day', 'month']),
          remaining: money.describe('of the running day or month, never below 0'),
        })
        .optional(),
    }),
  ),
})
