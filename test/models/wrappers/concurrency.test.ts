import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock as clock } from '../../../src/models/clock.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { createConcurrencyLimit, withConcurrency } from '../../../src/models/wrappers/concurrency.ts'
import { completionOf, fails, fakeModel, requestOf } from '../../support/fake-model.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new AbortController().signal

function stage(options: { maxConcurrency?: number; maxSize?: number; maxWaitMs?: number } = {}) {
  const observed: unknown[] = []
  const observer = {
    ...silentObserver,
    queueDepth: (provider: string, depth: number) => observed.push(['depth', provider, depth]),
    queueWait: (provider: string, seconds: number) => observed.push(['wait', provider, seconds]),
    queueRejected: (provider: string, reason: string) => observed.push(['rejected', provider, reason]),
  }
  const { maxConcurrency = 1, maxSize = 2, maxWaitMs = 1000 } = options
  const limit = createConcurrencyLimit({
    provider: 'alpha',
    maxConcurrency,
    queue: { maxSize, maxWaitMs },
    observer,
    clock,
  })
  const acquire = (signal = never, leftMs = 60_000) =>
    Promise.resolve(limit.acquire('alpha/small', requestOf({ deadlineAt: clock.now() + leftMs }), signal))
  return { limit, acquire, observed }
}

describe('createConcurrencyLimit', () => {
  it('lets maxConcurrency in and the others wait in order of arrival', async () => {
    const { limit, acquire } = stage({ maxConcurrency: 2, maxSize: 3 })
    const order: string[] = []
    await acquire()
    await acquire()
    const waiting = ['a', 'b', 'c'].map((name) => acquire().then(() => order.push(name)))
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual([])
    for (let i = 0; i < 3; i += 1) limit.release()
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b', 'c'])
  })

  it('refuses at once when the queue is full', async () => {
    const { acquire, observed } = stage({ maxSize: 0 })
    await acquire()
    await expect(acquire()).rejects.toMatchObject({ outcome: 'queue_full', model: 'alpha/small' })
    expect(observed).toEqual([['rejected', 'alpha', 'queue_full']])
  })

  it.each([
    ['maxWaitMs', 1000, 60_000, 1000],
    ['the deadline', 1000, 400, 400],
  ])('ends a wait at %s', async (_name, maxWaitMs, leftMs, afterMs) => {
    const { acquire, observed } = stage({ maxWaitMs })
    await acquire()
    const startedAt = clock.now()
    const waiting = acquire(never, leftMs).catch((error: unknown) => ({ error, afterMs: clock.now() - startedAt }))
    await vi.advanceTimersByTimeAsync(5000)
    expect(await waiting).toMatchObject({ error: { outcome: 'queue_timeout' }, afterMs })
    expect(observed).toContainEqual(['rejected', 'alpha', 'queue_timeout'])
  })

  it('an aborted waiter leaves the line, and its place goes to the next', async () => {
    const { limit, acquire, observed } = stage()
    await acquire()
    const controller = new AbortController()
    const gone = acquire(controller.signal)
    const next = acquire()
    const reason = new Error('gone')
    controller.abort(reason)
    await expect(gone).rejects.toBe(reason)
    limit.release()
    await next
    expect(observed.at(-2)).toEqual(['depth', 'alpha', 0])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('tells depth and wait of those who wait, and nothing of those who need not', async () => {
    const { limit, acquire, observed } = stage()
    await acquire()
    expect(observed).toEqual([])
    const waiting = acquire()
    await vi.advanceTimersByTimeAsync(250)
    limit.release()
    await waiting
    expect(observed).toEqual([
      ['depth', 'alpha', 1],
      ['depth', 'alpha', 0],
      ['wait', 'alpha', 0.25],
    ])
  })

  it('passes ten thousand waiters on without looking at each other', async () => {
    const { limit, acquire } = stage({ maxSize: 10_000 })
    await acquire()
    const waiting = Array.from({ length: 10_000 }, () => acquire().then(() => limit.release()))
    limit.release()
    await Promise.all(waiting)
    await acquire()
  })
})

describe('withConcurrency', () => {
  it('starts no call that its callers would not wait a second for, and passes the slot on', async () => {
    const { limit, observed } = stage()
    const model = fakeModel('alpha/small', [async () => completionOf('alpha/small', 'Fine.')])
    const gated = withConcurrency(model, limit)
    const deadlineAt = clock.now() + 60_000
    await limit.acquire('alpha/small', requestOf({ deadlineAt }), never)
    // A shared call has a deadline of its own; what counts is when the last of its callers gives up.
    const waitsUntil = () => clock.now() + 999
    const late = gated.complete(requestOf({ deadlineAt, listener: { waitsUntil } }), never)
    const patient = gated.complete(requestOf({ deadlineAt }), never)
    limit.release()
    await expect(late).rejects.toMatchObject({ outcome: 'queue_timeout' })
    expect((await patient).text).toBe('Fine.')
    expect(model.requests).toHaveLength(1)
    expect(observed).toContainEqual(['rejected', 'alpha', 'queue_timeout'])
  })

  it('gives its slot back after a failure', async () => {
    const { limit } = stage({ maxSize: 0 })
    const model = withConcurrency(
      fakeModel('alpha/small', [fails('alpha/small', 'network'), async () => completionOf('alpha/small', 'Fine.')]),
      limit,
    )
    const request = requestOf({ deadlineAt: clock.now() + 1000 })
    await expect(model.complete(request, never)).rejects.toMatchObject({ outcome: 'network' })
    expect((await model.complete(request, never)).text).toBe('Fine.')
  })
})
