import { expect, it, vi } from 'vitest'
import { collectYoung } from '../../src/workers/collect-young.ts'

const MIB = 1_048_576

it('collectYoung collects once for each 16 MiB of dead bodies, however they come', () => {
  const collect = vi.fn()
  const done = collectYoung(() => collect)
  for (let body = 1; body < 16; body += 1) done(MIB)
  expect(collect).not.toHaveBeenCalled()
  done(MIB)
  expect(collect.mock.calls).toEqual([[{ type: 'minor', execution: 'sync' }]])
  done(64 * MIB)
  expect(collect).toHaveBeenCalledTimes(2)
})

it('collectYoung lets go of the bytes of buffers that nobody holds, without a flag on the command line', () => {
  const done = collectYoung()
  const before = process.memoryUsage().arrayBuffers
  for (let body = 0; body < 16; body += 1) Buffer.alloc(MIB)
  done(16 * MIB)
  // The sweeper gives them back beside the event loop: they are gone when the next collection has to begin.
  done(16 * MIB)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB)
})
