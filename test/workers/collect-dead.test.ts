import { expect, it, vi } from 'vitest'
import { collectDead } from '../../src/workers/collect-dead.ts'

const MIB = 1_048_576

it('collectDead collects once for each 16 MiB of dead bodies, however they come', () => {
  const collect = vi.fn()
  const done = collectDead(() => collect)
  for (let body = 1; body < 16; body += 1) done(MIB)
  expect(collect).not.toHaveBeenCalled()
  done(MIB)
  expect(collect.mock.calls).toEqual([[{ type: 'minor', execution: 'sync' }]])
  done(64 * MIB)
  expect(collect).toHaveBeenCalledTimes(2)
})

it('collectDead lets go of the bytes of buffers that nobody holds, without a flag on the command line', () => {
  const done = collectDead()
  const before = process.memoryUsage().arrayBuffers
  for (let body = 0; body < 16; body += 1) Buffer.alloc(MIB)
  done(16 * MIB)
  // The sweeper gives them back beside the event loop: they are gone when the next collection has to begin.
  done(16 * MIB)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB)
})

it('collectDead collects everything once in 128 MiB, for those that have grown old', () => {
  const collect = vi.fn()
  const done = collectDead(() => collect)
  for (let body = 0; body < 128; body += 1) done(MIB)
  expect(collect.mock.calls.map(([{ type }]) => type)).toEqual([...Array.from({ length: 7 }, () => 'minor'), 'major'])
  done(16 * MIB)
  expect(collect).toHaveBeenLastCalledWith({ type: 'minor', execution: 'sync' })
})

it('collectDead lets go of bodies that threads may read, though they were held through many collections', () => {
  const done = collectDead()
  const held: SharedArrayBuffer[] = []
  const before = process.memoryUsage.rss()
  for (let body = 0; body < 1024; body += 1) {
    held.push(touched(new SharedArrayBuffer(MIB)))
    if (held.length <= 64) continue
    held.shift()
    done(MIB)
  }
  expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(400)
})

function touched(memory: SharedArrayBuffer): SharedArrayBuffer {
  new Uint8Array(memory).fill(1)
  return memory
}
