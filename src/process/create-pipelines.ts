import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../config/load-config.ts'
import { loadHooks } from '../hooks/load-hooks.ts'
import { logHookFaults } from '../hooks/log-hook-faults.ts'
import type { KeyRing } from '../http/key-ring.ts'
import type { Metrics } from '../http/metrics.ts'
import type { FiguresLedger } from '../http/request-figures.ts'
import { jobSecrets } from '../jobs/options.ts'
import { buildModels } from '../models/build-models.ts'
import type { Spending } from '../models/callers/spending.ts'
import { systemClock } from '../models/clock.ts'
import type { Store } from '../models/stores/store.ts'
import { switchModels } from '../models/switch-models.ts'
import { compactionItems } from '../pipelines/items/compaction-items.ts'
import type { PipelineDefaults, PipelineDeps } from '../pipelines/pipeline-context.ts'
import { loadPrompts, PROMPTS_FOLDER } from '../prompts/load-prompts.ts'
import { joinReplicas } from '../requests/join-replicas.ts'
import type { MemoryBudget } from '../workers/memory-budget.ts'
import { createOffload, type Offload } from '../workers/offload.ts'
import type { WorkerData } from '../workers/port.ts'
import { sealerOf } from './build-jobs.ts'
import { countSpending } from './count-spending.ts'
import { logAttempts } from './log-attempts.ts'

/** Renewed while a session is being compacted, so this is only how long it stays locked when its replica dies. */
const SESSION_LEASE_MS = 10_000

interface PipelineParts {
  readonly store: Store
  readonly budget: MemoryBudget
  readonly metrics: Metrics
  /** Where requests have a log line of their own. */
  readonly figures?: FiguresLedger | undefined
  readonly log: Logger
  readonly keyRing: KeyRing
  readonly spending: Spending
}

/** What a test puts in the place of, or around, a part of the wiring. */
export interface PipelineChanges {
  readonly worker?: Partial<WorkerData>
  readonly offload?: (offload: Offload) => Offload
}

/** Models, worker threads and pipelines, tied together. */
export async function createPipelines(
  config: Config,
  { store, budget, metrics, figures, log, keyRing, spending }: PipelineParts,
  changes: PipelineChanges = {},
) {
  const prompts = loadPrompts(PROMPTS_FOLDER, config.prompts)
  const defaults: PipelineDefaults = {
    compaction: config.compaction,
    branchReserveTokens: config.branchSummary.reserveTokens,
    auditSummarize: config.audit.summarize,
    aheadTtlMs: config.compaction.aheadTtlMs,
  }
  const observers = countSpending(metrics, spending)
  const observer = logHookFaults(observers.pipelines, log)
  const hooks = await loadHooks(config.hooks, observer)
  const pool = createOffload({
    budget,
    worker: () => ({
      defaults,
      promptsFolder: config.prompts,
      hooksFile: config.hooks,
      secrets: config.jobs === undefined ? undefined : jobSecrets(config.jobs),
      ...changes.worker,
    }),
    onInternal: (reqId, stack) => log.error({ reqId, err: { stack } }, 'internal fault'),
    onHookFault: observer.hookFault,
    onThreadEnded(reason, stack) {
      metrics.threadEnded(reason)
      log.warn({ reason, err: { stack } }, 'a worker thread was ended and is replaced')
    },
    replicas: config.redis.url === '' ? undefined : joinReplicas({ store, clock: systemClock }),
  })
  const observed = logAttempts(observers.models, log)
  const offload = changes.offload?.(pool) ?? pool
  const parts = {
    store,
    clock: systemClock,
    observer: figures === undefined ? observed : figures.observing(observed),
    limitsOf: keyRing.limitsOf,
    spending,
    prompts,
    extract: offload.extract,
    planFold: offload.planFold,
  }
  const models = switchModels(buildModels(config, parts), { clock: systemClock, requestMs: config.timeouts.requestMs })
  const pipelines: PipelineDeps = {
    models,
    prompts,
    defaults,
    hooks,
    observer,
    items: compactionItems(sealerOf(config)),
    lock: (name) => store.lease(`session:${name}`, SESSION_LEASE_MS),
    shelf: store,
    now: () => Date.now(),
    newId: () => randomBytes(4).toString('hex'),
  }
  const reload = (next: Config) => models.replace(buildModels(next, parts))
  return { models, offload, pipelines, reload }
}
