import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config/load-config.ts'
import type { Orphans } from '../http/answers/request-clock.ts'
import { buildAdminApp, buildApp } from '../http/app.ts'
import { closeApp } from '../http/close-app.ts'
import { createKeyRing } from '../http/key-ring.ts'
import { createMetrics, type Metrics } from '../http/metrics.ts'
import { createLifecycle, type Lifecycle } from '../http/plugins/lifecycle.ts'
import { rateLimitStore } from '../http/plugins/rate-limit-store.ts'
import { createFiguresLedger } from '../http/request-figures.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { memorySpending } from '../models/callers/spending.ts'
import { systemClock } from '../models/clock.ts'
import { memoryStore } from '../models/stores/memory.ts'
import { budgetOf } from './budget-of.ts'
import { buildJobs } from './build-jobs.ts'
import { createPipelines } from './create-pipelines.ts'
import type { StoreParts } from './redis-stores.ts'
import { watchEventLoop } from './watch-event-loop.ts'

/** The service, wired and not yet listening. */
export interface Service {
  readonly app: FastifyInstance
  /** Metrics alone, where they have a port of their own. */
  readonly admin: FastifyInstance | undefined
  readonly lifecycle: Lifecycle
  readonly jobs: Pick<Jobs, 'finish' | 'ownCount'>
  readonly version: string
  /** Keys, budgets, providers, candidates and the log level of another configuration, from now on. */
  reload(config: Config): void
  close(): Promise<void>
}

/** The whole wiring, floor by floor: what remembers, what asks models, what compacts, what speaks HTTP. A rehearsal is not `isWatched`. */
export async function buildService(config: Config, log: Logger, { isWatched = true } = {}): Promise<Service> {
  const keyRing = createKeyRing(config.auth.keys)
  const metrics = createMetrics(keyRing.has, isWatched)
  const lifecycle = createLifecycle()
  const loop = watchEventLoop()
  const version = packageVersion()
  const budget = budgetOf(config)
  const { store, link, sharedLimit, spending } = await createStores(config, { budget, metrics, log })
  const callers = { keyRing, spending }
  const figures = createFiguresLedger()
  const { models, offload, pipelines, reload } = await createPipelines(config, {
    store,
    budget,
    metrics,
    figures,
    log,
    ...callers,
  })
  const { breakers, restingKeys } = models
  metrics.watchProcess({ version, breakers, restingKeys, eventLoopLag: loop.lag })
  const jobs = await buildJobs(config, { link, offload, pipelines, metrics, figures, log })
  const dependencies = {
    options: config,
    limits: config.timeouts,
    orphans: watchOrphans(lifecycle, metrics),
    jobs,
    ...callers,
    log,
    metrics,
    figures,
    lifecycle,
    offload,
    pipelines,
    readiness: { stalled: loop.stalled, starved: offload.isStarved, models: models.states, mode: models.mode },
    budget,
    version,
    rateLimitStore: rateLimitStore({ clock: systemClock, ...sharedLimit }),
  }
  const app = await buildApp(dependencies)
  const admin = config.server.adminPort === null ? undefined : await buildAdminApp(dependencies)
  return {
    app,
    admin,
    lifecycle,
    jobs,
    version,
    reload(next) {
      reload(next)
      keyRing.replace(next.auth.keys)
      log.level = levelOf(next, config, log)
    },
    async close() {
      await Promise.all([app, ...(admin === undefined ? [] : [admin])].map(closeApp))
      await Promise.race([jobs.close(), delay(config.server.drainMs, undefined, { ref: false })])
      await Promise.all([models.close(), offload.close(), store.close()])
      loop.stop()
    },
  }
}

/** A variable cannot change while a process runs, so a level that was changed in the file since the start wins. */
function levelOf(next: Config, first: Config, log: Logger): string {
  const { levelInFile } = next
  const isChanged = levelInFile !== undefined && levelInFile !== first.levelInFile
  return isChanged && Object.hasOwn(log.levels.values, levelInFile) ? levelInFile : next.log.level
}

/** Work that continues for a caller who left is waited for before the process ends. */
export function watchOrphans(lifecycle: Lifecycle, metrics: Metrics): Orphans {
  return {
    begun() {
      lifecycle.orphans += 1
    },
    ended(result) {
      lifecycle.orphans -= 1
      metrics.orphan(result)
    },
  }
}

/** Redis where it is configured, else this process's memory. */
async function createStores(config: Config, parts: StoreParts) {
  if (config.redis.url !== '') return (await import('./redis-stores.ts')).redisStores(config, parts)
  const store = memoryStore({ clock: systemClock, maxBytes: parts.budget.cacheBytes })
  return { store, link: undefined, sharedLimit: {}, spending: memorySpending(systemClock) }
}

export const packageVersion = (): string => packageJson.version
