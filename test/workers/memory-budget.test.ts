import { describe, expect, it } from 'vitest'
import { shareMemory } from '../../src/workers/memory-budget.ts'

const MIB = 1_048_576
const share = (limitMiB: number, more: object = {}) =>
  shareMemory({ limitMiB, cpus: 4, maxThreads: undefined, maxInflightBytes: 512 * MIB, cacheBytes: 64 * MIB, ...more })

describe('shareMemory', () => {
  it.each([
    // A small pod has one thread whatever its cores; threads are one less than the cores where there is room.
    [256, 4, undefined, 1],
    [512, 4, undefined, 1],
    [1024, 4, undefined, 3],
    [4096, 4, undefined, 3],
    [4096, 1, undefined, 1],
    [4096, 0.5, undefined, 1],
    [4096, 16, 2, 2],
    [64_000, 32, undefined, 31],
  ])('gives %i MiB on %s cores, at most %s threads, %i of them', (limitMiB, cpus, maxThreads, threads) => {
    expect(share(limitMiB, { cpus, maxThreads }).threads).toBe(threads)
  })

  it.each([64, 256, 512, 1024, 4096, 64_000])(
    'shares out no more than %i MiB, and leaves something for each part',
    (limitMiB) => {
      const { threads, threadHeapBytes, bodiesBytes, mainBytes, cacheBytes } = share(limitMiB)
      for (const part of [threadHeapBytes, bodiesBytes, mainBytes, cacheBytes]) expect(part).toBeGreaterThan(0)
      // However small the limit is, the service runs: it then needs what one thread and the process need.
      const least = (190 + 70 + 32 + 64) * MIB
      const together = 190 * MIB + threads * (threadHeapBytes + 70 * MIB) + bodiesBytes + mainBytes + cacheBytes
      expect(together).toBeLessThanOrEqual(Math.max(limitMiB * MIB, least))
    },
  )

  it('keeps to what the operator set where that is less', () => {
    const { bodiesBytes, cacheBytes } = share(4096, { maxInflightBytes: 3 * MIB, cacheBytes: 0 })
    expect([bodiesBytes, cacheBytes]).toEqual([3 * MIB, 0])
  })
})
