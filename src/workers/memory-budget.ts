/** What is shared out at start. Everything in bytes. */
export interface MemoryBudget {
  /** Threads for long work. */
  readonly threads: number
  /** What all work in one thread may grow to. */
  readonly threadHeapBytes: number
  /** Bodies as they came, of all requests at once. */
  readonly bodiesBytes: number
  /** What long work may take of the event loop's heap meanwhile: prompts and answers. */
  readonly mainBytes: number
  readonly cacheBytes: number
}

export interface MemoryWishes {
  readonly limitMiB: number
  readonly cpus: number
  readonly maxThreads: number | undefined
  readonly maxInflightBytes: number
  readonly cacheBytes: number
}

const MIB = 1_048_576

/** Code, native parts and the young heap of the process, and what is dead and not yet given back; measured (test/hostile/memory.test.ts holds the sum). */
const PROCESS_MIB = 270
/** The same of one thread. */
const THREAD_MIB = 70
/** A thread with less heap than this would refuse sessions of a few megabytes. */
const LEAST_HEAP_MIB = 64
/** No body of the largest size needs more than this. */
const MOST_HEAP_MIB = 4_096

/** Shares of what is left when the process has started. The threads get the rest. */
const SHARES = { bodies: 0.17, main: 0.17, cache: 0.05 }

/**
 * One figure for everything (docs/spec/production.md §1). Where it is small there is one thread, and however small it is, something is
 * left for each part: a service that starts takes work.
 */
export function shareMemory({ limitMiB, cpus, maxThreads, maxInflightBytes, cacheBytes }: MemoryWishes): MemoryBudget {
  const free = Math.max(limitMiB - PROCESS_MIB, 64) * MIB
  const main = free * SHARES.main
  const bodies = Math.min(free * SHARES.bodies, maxInflightBytes)
  const cache = Math.min(free * SHARES.cache, cacheBytes)
  const rest = free - main - bodies - cache
  const wanted = maxThreads ?? Math.max(1, Math.floor(cpus) - 1)
  const threads = Math.max(1, Math.min(wanted, Math.floor(rest / ((THREAD_MIB + LEAST_HEAP_MIB) * MIB))))
  const heap = Math.max(rest / threads - THREAD_MIB * MIB, (LEAST_HEAP_MIB * MIB) / 2)
  return {
    threads,
    threadHeapBytes: Math.floor(Math.min(heap, MOST_HEAP_MIB * MIB)),
    bodiesBytes: Math.floor(bodies),
    mainBytes: Math.floor(main),
    cacheBytes: Math.floor(cache),
  }
}
