import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock as clock } from '../../../src/models/clock.ts'
import { withTimeout } from '../../../src/models/wrappers/timeout.ts'
import { fails, fakeModel, hangs, requestOf, says } from '../../support/fake-model.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const limits = { attemptMs: 5000, firstTokenMs: 2000, clock }
const request = (leftMs = 60_000, more = {}) => requestOf({ deadlineAt: clock.now() + leftMs, ...more })

/** How long the promise took to settle in fake time, and what it ended in. */
async function outcomeOf(promise: Promise<unknown>): Promise<{ afterMs: number; reason: unknown }> {
  const startedAt = clock.now()
  const settled = promise.then(
    () => ({ afterMs: clock.now() - startedAt, reason: undefined }),
    (reason: unknown) => ({ afterMs: clock.now() - startedAt, reason }),
  )
  await vi.advanceTimersByTimeAsync(100_000)
  return settled
}

/** Speaks once after `ms`, then says no more. */
const speaksAfter = (ms: number, text: string) => (asked: ReturnType<typeof requestOf>, signal: AbortSignal) => {
  setTimeout(() => asked.listener?.delta?.(text), ms)
  return hangs(asked, signal)
}

describe('withTimeout', () => {
  it.each([
    ['the first-token clock', limits, 60_000, hangs, 2000],
    ['attemptMs, once a token came', limits, 60_000, speaksAfter(1000, 'Hi'), 5000],
    ['attemptMs, once reasoning came', limits, 60_000, speaksAfter(1000, ''), 5000],
    ['attemptMs where it is the shorter clock', { ...limits, attemptMs: 1500 }, 60_000, hangs, 1500],
    ['the deadline before both', limits, 1200, hangs, 1200],
    ['the deadline after a token', limits, 3000, speaksAfter(1000, 'Hi'), 3000],
  ])('ends a try at %s', async (_name, options, leftMs, reply, afterMs) => {
    const model = withTimeout(fakeModel('a/b', [reply]), options)
    const { afterMs: took, reason } = await outcomeOf(model.complete(request(leftMs), new AbortController().signal))
    expect(took).toBe(afterMs)
    expect(reason).toMatchObject({ name: 'ModelError', model: 'a/b', outcome: 'timeout' })
  })

  it('hands on text, and keeps the sign of life without text to itself', async () => {
    const heard: string[] = []
    const speaks = fakeModel('a/b', [
      async (asked) => {
        for (const text of ['', 'One', '', 'two']) asked.listener?.delta?.(text)
        return says('a/b', 'One two')(asked, new AbortController().signal)
      },
    ])
    const asked = request(60_000, { listener: { delta: (text: string) => heard.push(text) } })
    await withTimeout(speaks, limits).complete(asked, new AbortController().signal)
    expect(heard).toEqual(['One', 'two'])
  })

  it('rethrows the reason of the caller untouched', async () => {
    const controller = new AbortController()
    const reason = new Error('gone')
    const call = withTimeout(fakeModel('a/b', [hangs]), limits).complete(request(), controller.signal)
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect(withTimeout(fakeModel('a/b', [hangs]), limits).complete(request(), controller.signal)).rejects.toBe(
      reason,
    )
  })

  it.each([
    ['an answer', says('a/b', 'Fine.')],
    ['a failure', fails('a/b', 'network')],
    ['a timeout', hangs],
  ])('leaves neither timer nor listener behind after %s', async (_name, reply) => {
    const { signal } = new AbortController()
    const call = withTimeout(fakeModel('a/b', [reply]), limits).complete(request(), signal)
    const settled = call.then(
      () => {},
      () => {},
    )
    // No further than the clock that ends the hanging one: a timer left behind must still be there to be seen.
    await vi.advanceTimersByTimeAsync(reply === hangs ? limits.firstTokenMs : 0)
    await settled
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
