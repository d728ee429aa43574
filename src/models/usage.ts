import { NO_USAGE, type Usage } from './model.ts'

/** Tokens and dollars of several calls together. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(
    (sum, one) => ({
      inputTokens: sum.inputTokens + one.inputTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
      costUsd: sum.costUsd + one.costUsd,
    }),
    NO_USAGE,
  )
}
