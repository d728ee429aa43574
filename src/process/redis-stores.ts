import type { Logger } from 'pino'
import type { Config } from '../config/load-config.ts'
import type { Metrics } from '../http/metrics.ts'
import { systemClock as clock } from '../models/clock.ts'
import { redisStore } from '../models/stores/redis.ts'
import { redisLink } from '../models/stores/redis-link.ts'
import { redisSpending } from '../models/stores/redis-spending.ts'
import type { MemoryBudget } from '../workers/memory-budget.ts'
import { sealerOf } from './build-jobs.ts'

export interface StoreParts {
  readonly budget: MemoryBudget
  readonly metrics: Metrics
  readonly log: Logger
}

/** What all replicas remember together. Loaded only where Redis is configured: its client is sixty modules. */
export function redisStores(config: Config, { budget, metrics, log }: StoreParts) {
  const warn = (text: string) => log.warn(text)
  const link = redisLink({ ...config.redis, clock, observer: metrics.models, warn })
  const store = redisStore({ link, maxBytes: budget.cacheBytes, clock, sealer: sealerOf(config) })
  return { store, link, sharedLimit: { shared: store.increment }, spending: redisSpending(link, clock) }
}
