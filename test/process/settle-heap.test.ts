import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { settleHeap } from '../../src/process/settle-heap.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('settleHeap collects once, as soon as nobody waits for anything', () => {
  const lifecycle = { inflight: 1, orphans: 0 }
  const collect = vi.fn()
  settleHeap(lifecycle, () => collect)
  vi.advanceTimersByTime(5_000)
  expect(collect).not.toHaveBeenCalled()
  lifecycle.inflight = 0
  lifecycle.orphans = 1
  vi.advanceTimersByTime(5_000)
  expect(collect).not.toHaveBeenCalled()
  lifecycle.orphans = 0
  vi.advanceTimersByTime(5_000)
  expect(collect).toHaveBeenCalledTimes(1)
})
