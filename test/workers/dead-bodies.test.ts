import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { deadBodies } from '../../src/workers/dead-bodies.ts'
import { garbageCollector } from '../../src/workers/garbage-collector.ts'

const MIB = 1_048_576

/** Counts what it is told to collect, and does not. */
function counted() {
  const collect = vi.fn<ReturnType<typeof garbageCollector>>()
  const dead = deadBodies(() => collect)
  const times = () => {
    const types = collect.mock.calls.map(([{ type }]) => type)
    return {
      minor: types.filter((type) => type === 'minor').length,
      major: types.filter((type) => type === 'major').length,
    }
  }
  return { dead, times }
}

describe('deadBodies', () => {
  it('collects the young once for each 16 MiB, however they come', () => {
    const { dead, times } = counted()
    for (let body = 1; body < 16; body += 1) dead.add(MIB)
    expect(times()).toEqual({ minor: 0, major: 0 })
    dead.add(MIB)
    expect(times()).toEqual({ minor: 1, major: 0 })
    dead.add(64 * MIB)
    expect(times()).toEqual({ minor: 2, major: 0 })
  })

  it('lets go of the bytes of buffers that nobody holds, without a flag on the command line', () => {
    const dead = deadBodies()
    const before = process.memoryUsage().arrayBuffers
    for (let body = 0; body < 16; body += 1) Buffer.alloc(MIB)
    dead.add(16 * MIB)
    // The sweeper gives them back beside the event loop: they are gone when the next collection has to begin.
    dead.add(16 * MIB)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB)
  })

  it('collects everything once for 128 MiB that lived through two collections, and once for 1 GiB of others', () => {
    const { dead, times } = counted()
    dead.add(16 * MIB)
    for (let body = 0; body < 4; body += 1) dead.add(16 * MIB, dead.now() - 1)
    expect(times()).toEqual({ minor: 5, major: 0 })
    for (let body = 0; body < 7; body += 1) dead.add(16 * MIB, dead.now() - 2)
    expect(times()).toEqual({ minor: 12, major: 0 })
    dead.add(16 * MIB, dead.now() - 3)
    expect(times()).toEqual({ minor: 12, major: 1 })
    for (let body = 0; body < 63; body += 1) dead.add(16 * MIB)
    expect(times()).toEqual({ minor: 75, major: 1 })
    dead.add(16 * MIB)
    expect(times()).toEqual({ minor: 75, major: 2 })
  })

  it('counts anew when V8 has collected everything itself', async () => {
    const { dead, times } = counted()
    for (let body = 0; body < 7; body += 1) dead.add(16 * MIB, dead.now() - 2)
    await turn()
    garbageCollector()({ type: 'major', execution: 'sync' })
    await turn()
    for (let body = 0; body < 8; body += 1) dead.add(16 * MIB, dead.now() - 2)
    expect(times()).toEqual({ minor: 15, major: 0 })
    dead.add(16 * MIB, dead.now() - 2)
    for (let body = 0; body < 7; body += 1) dead.add(16 * MIB, dead.now() - 2)
    expect(times().major).toBe(1)
  })

  it('lets go of bodies that threads may read, though they were held through many collections', () => {
    const dead = deadBodies()
    const held: { readonly memory: SharedArrayBuffer; readonly since: number }[] = []
    const before = process.memoryUsage.rss()
    for (let body = 0; body < 1024; body += 1) {
      held.push({ memory: touched(new SharedArrayBuffer(MIB)), since: dead.now() })
      if (held.length > 64) dead.add(MIB, held.shift()?.since)
    }
    expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(400)
  })
})

function touched(memory: SharedArrayBuffer): SharedArrayBuffer {
  new Uint8Array(memory).fill(1)
  return memory
}
