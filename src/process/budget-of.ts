import type { Config } from '../config/load-config.ts'
import { type MemoryBudget, shareMemory } from '../workers/memory-budget.ts'
import { machineLimits } from '../workers/memory-limit.ts'

/** One figure for the whole process, shared out once. */
export function budgetOf({ memory, workers, server, cache }: Config): MemoryBudget {
  const limits = machineLimits()
  return shareMemory({
    limitMiB: memory.limitMiB ?? limits.memoryMiB,
    cpus: limits.cpus,
    maxThreads: workers.max,
    maxInflightBytes: server.maxInflightBytes,
    cacheBytes: cache.maxBytes,
  })
}
