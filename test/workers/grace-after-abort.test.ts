import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { graceAfterAbort } from '../../src/workers/grace-after-abort.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('graceAfterAbort', () => {
  it('is the work while nothing aborts it, and leaves nothing behind', async () => {
    const { signal } = new AbortController()
    await expect(graceAfterAbort(Promise.resolve('done'), signal)).resolves.toBe('done')
    await expect(graceAfterAbort(Promise.reject(new Error('own')), signal)).rejects.toThrow('own')
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('lets an aborted work say how it ended', async () => {
    const controller = new AbortController()
    const work = Promise.withResolvers<string>()
    const end = graceAfterAbort(work.promise, controller.signal)
    controller.abort(new Error('reason'))
    vi.advanceTimersByTime(499)
    work.reject(new Error('with a state'))
    await expect(end).rejects.toThrow('with a state')
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([true, false])('waits 500 ms for that and no longer (aborted before: %s)', async (before) => {
    const controller = new AbortController()
    if (before) controller.abort(new Error('reason'))
    const end = graceAfterAbort(new Promise<never>(() => {}), controller.signal)
    if (!before) controller.abort(new Error('reason'))
    const settled = vi.fn()
    end.then(settled, settled)
    vi.advanceTimersByTime(499)
    await Promise.resolve()
    expect(settled).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await expect(end).rejects.toThrow('reason')
  })
})
