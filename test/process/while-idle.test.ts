import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { whileIdle } from '../../src/process/while-idle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('whileIdle runs each task once, in turn, a second each, in seconds in which nobody waits for anything', () => {
  const lifecycle = { inflight: 1, orphans: 0 }
  const done: string[] = []
  whileIdle(lifecycle, [() => done.push('first'), () => done.push('second')])
  vi.advanceTimersByTime(5_000)
  expect(done).toEqual([])
  lifecycle.inflight = 0
  lifecycle.orphans = 1
  vi.advanceTimersByTime(5_000)
  expect(done).toEqual([])
  lifecycle.orphans = 0
  vi.advanceTimersByTime(1_000)
  expect(done).toEqual(['first'])
  vi.advanceTimersByTime(5_000)
  expect(done).toEqual(['first', 'second'])
  expect(vi.getTimerCount()).toBe(0)
})
