import type { PipelineObserver } from '../hooks/pipeline-observer.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Spending } from '../models/callers/spending.ts'
import type { ModelObserver } from '../models/observer.ts'

/** The observers of the metrics, which also count what each key has used. */
export function countSpending(
  metrics: Metrics,
  spending: Spending,
): { readonly models: ModelObserver; readonly pipelines: PipelineObserver } {
  return {
    models: {
      ...metrics.models,
      attempt(report) {
        metrics.models.attempt(report)
        const { usage, asker } = report
        const { caller } = asker
        if (caller !== undefined && usage.inputTokens + usage.outputTokens > 0) spending.add(caller, usage)
      },
    },
    pipelines: {
      ...metrics,
      compaction(facts) {
        metrics.compaction(facts)
        const { caller, tokensBefore = 0, tokensAfter = 0 } = facts
        if (caller !== undefined && tokensBefore > tokensAfter)
          spending.add(caller, { savedTokens: tokensBefore - tokensAfter })
      },
    },
  }
}
