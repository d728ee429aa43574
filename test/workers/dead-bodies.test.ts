import { describe, expect, it, vi } from 'vitest'
import { deadBodies } from '../../src/workers/dead-bodies.ts'
import type { garbageCollector } from '../../src/workers/garbage-collector.ts'

const MIB = 1_048_576

/** Counts what it is told to collect, and does not; so many MiB lie outside of the heap. */
function counted() {
  const collect = vi.fn<ReturnType<typeof garbageCollector>>()
  let outside = 0
  const dead = deadBodies(
    () => collect,
    () => outside,
  )
  const kept = (mib: number) => {
    outside = mib * MIB
  }
  const times = () => {
    const types = collect.mock.calls.map(([{ type }]) => type)
    return {
      minor: types.filter((type) => type === 'minor').length,
      major: types.filter((type) => type === 'major').length,
    }
  }
  return { dead, times, kept }
}

/** Sixteen bodies of a MiB. */
function passed(dead: (bytes: number) => void): void {
  for (let body = 0; body < 16; body += 1) dead(MIB)
}

describe('deadBodies', () => {
  it('collects everything once for 64 MiB of long bodies, whatever lies about', () => {
    const { dead, times } = counted()
    for (let body = 0; body < 7; body += 1) dead(8 * MIB)
    expect(times()).toEqual({ minor: 3, major: 0 })
    dead(8 * MIB)
    expect(times()).toEqual({ minor: 3, major: 1 })
    for (let body = 0; body < 8; body += 1) dead(8 * MIB)
    expect(times()).toEqual({ minor: 6, major: 2 })
  })

  it('collects the young once for each 16 MiB, however they come', () => {
    const { dead, times } = counted()
    for (let body = 1; body < 16; body += 1) dead(MIB)
    expect(times()).toEqual({ minor: 0, major: 0 })
    dead(MIB)
    expect(times()).toEqual({ minor: 1, major: 0 })
    dead(32 * MIB)
    expect(times()).toEqual({ minor: 2, major: 0 })
  })

  it('lets go of the bytes of buffers that nobody holds, without a flag on the command line', () => {
    const dead = deadBodies()
    const before = process.memoryUsage().arrayBuffers
    for (let body = 0; body < 16; body += 1) Buffer.alloc(MIB)
    passed(dead)
    // The sweeper gives them back beside the event loop: they are gone when the next collection has to begin.
    passed(dead)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB)
  })

  it('collects everything when minor collections have left 128 MiB more than there were, of as many that died', () => {
    const { dead, times, kept } = counted()
    kept(300)
    for (let body = 0; body < 20; body += 1) passed(dead)
    expect(times()).toEqual({ minor: 20, major: 0 })
    kept(200)
    passed(dead)
    kept(327)
    passed(dead)
    expect(times()).toEqual({ minor: 22, major: 0 })
    kept(328)
    passed(dead)
    expect(times()).toEqual({ minor: 22, major: 1 })
  })

  it('measures from what is left after that, and does not take bodies in flight for dead ones', () => {
    const { dead, times, kept } = counted()
    passed(dead)
    for (let body = 1; body < 8; body += 1) {
      kept(1000)
      passed(dead)
    }
    expect(times()).toEqual({ minor: 7, major: 1 })
    for (let body = 0; body < 20; body += 1) passed(dead)
    expect(times()).toEqual({ minor: 27, major: 1 })
    kept(1128)
    passed(dead)
    expect(times()).toEqual({ minor: 27, major: 2 })
  })

  it('lets go of bodies that threads may read, though they were held through many collections', () => {
    const dead = deadBodies()
    const held: SharedArrayBuffer[] = []
    const before = process.memoryUsage.rss()
    for (let body = 0; body < 1024; body += 1) {
      held.push(touched(new SharedArrayBuffer(MIB)))
      if (held.length <= 64) continue
      held.shift()
      dead(MIB)
    }
    expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(400)
  })
})

function touched(memory: SharedArrayBuffer): SharedArrayBuffer {
  new Uint8Array(memory).fill(1)
  return memory
}
