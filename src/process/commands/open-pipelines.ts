import { loadConfig } from '../../config/load-config.ts'
import { createKeyRing } from '../../http/key-ring.ts'
import { createMetrics } from '../../http/metrics.ts'
import { memorySpending } from '../../models/callers/spending.ts'
import { systemClock } from '../../models/clock.ts'
import { memoryStore } from '../../models/stores/memory.ts'
import type { PipelineDeps } from '../../pipelines/pipeline-context.ts'
import { budgetOf } from '../budget-of.ts'
import { createPipelines } from '../create-pipelines.ts'
import { createLogger } from '../log.ts'
import { asConfigFaults } from './config-faults.ts'

/** The pipelines of the service without the service: no port, no Redis, no log. */
export interface OpenPipelines {
  readonly deps: PipelineDeps
  readonly requestMs: number
  close(): Promise<void>
}

export async function openPipelines(): Promise<OpenPipelines> {
  const loaded = await asConfigFaults(() => loadConfig(process.env))
  // One process that ends: nothing to share with replicas.
  const config = { ...loaded, redis: { ...loaded.redis, url: '' } }
  for (const warning of config.warnings) console.error(`warning: ${warning}`)
  const store = memoryStore({ clock: systemClock, maxBytes: config.cache.maxBytes })
  // No keys and no budgets: whoever runs this pays.
  const keyRing = createKeyRing([])
  const spending = memorySpending(systemClock)
  const log = createLogger('silent', { write() {} })
  const made = await asConfigFaults(() =>
    createPipelines(config, {
      store,
      budget: budgetOf(config),
      metrics: createMetrics(keyRing.has),
      log,
      keyRing,
      spending,
    }),
  )
  return {
    deps: made.pipelines,
    requestMs: config.timeouts.requestMs,
    async close() {
      await Promise.all([made.models.close(), made.offload.close(), store.close()])
    },
  }
}
