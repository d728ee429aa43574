import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock as clock } from '../../../src/models/clock.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { createGate, withGate } from '../../../src/models/wrappers/concurrency.ts'
import { completionOf, fails, fakeModel, requestOf } from '../../support/fake-model.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new AbortController().signal

function stage(options: { maxConcurrency?: number; maxSize?: number; maxWaitMs?: number } = {}) {
  const told: unknown[] = []
  const observer = {
    ...silentObserver,
    queueDepth: (provider: string, depth: number) => told.push(['depth', provider, depth]),
    queueWait: (provider: string, seconds: number) => told.push(['wait', provider, seconds]),
    queueRejected: (provider: string, reason: string) => told.push(['rejected', provider, reason]),
  }
  const { maxConcurrency = 1, maxSize = 2, maxWaitMs = 1000 } = options
  const gate = createGate({ provider: 'alpha', maxConcurrency, queue: { maxSize, maxWaitMs }, observer, clock })
  const enter = (signal = never, leftMs = 60_000) =>
    Promise.resolve(gate.enter('alpha/small', { deadlineAt: clock.now() + leftMs }, signal))
  return { gate, enter, told }
}

describe('createGate', () => {
  it('lets maxConcurrency in and the others wait in order of arrival', async () => {
    const { gate, enter } = stage({ maxConcurrency: 2, maxSize: 3 })
    const order: string[] = []
    await enter()
    await enter()
    const waiting = ['a', 'b', 'c'].map((name) => enter().then(() => order.push(name)))
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual([])
    for (let i = 0; i < 3; i += 1) gate.leave()
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b', 'c'])
  })

  it('refuses at once when the queue is full', async () => {
    const { enter, told } = stage({ maxSize: 0 })
    await enter()
    await expect(enter()).rejects.toMatchObject({ outcome: 'queue_full', model: 'alpha/small' })
    expect(told).toEqual([['rejected', 'alpha', 'queue_full']])
  })

  it.each([
    ['maxWaitMs', 1000, 60_000, 1000],
    ['the deadline', 1000, 400, 400],
  ])('ends a wait at %s', async (_name, maxWaitMs, leftMs, afterMs) => {
    const { enter, told } = stage({ maxWaitMs })
    await enter()
    const startedAt = clock.now()
    const waiting = enter(never, leftMs).catch((error: unknown) => ({ error, afterMs: clock.now() - startedAt }))
    await vi.advanceTimersByTimeAsync(5000)
    expect(await waiting).toMatchObject({ error: { outcome: 'queue_timeout' }, afterMs })
    expect(told).toContainEqual(['rejected', 'alpha', 'queue_timeout'])
  })

  it('an aborted waiter leaves the line, and its place goes to the next', async () => {
    const { gate, enter, told } = stage()
    await enter()
    const controller = new AbortController()
    const gone = enter(controller.signal)
    const next = enter()
    const reason = new Error('gone')
    controller.abort(reason)
    await expect(gone).rejects.toBe(reason)
    gate.leave()
    await next
    expect(told.at(-2)).toEqual(['depth', 'alpha', 0])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('tells depth and wait of those who wait, and nothing of those who need not', async () => {
    const { gate, enter, told } = stage()
    await enter()
    expect(told).toEqual([])
    const waiting = enter()
    await vi.advanceTimersByTimeAsync(250)
    gate.leave()
    await waiting
    expect(told).toEqual([
      ['depth', 'alpha', 1],
      ['depth', 'alpha', 0],
      ['wait', 'alpha', 0.25],
    ])
  })

  it('passes ten thousand waiters on without looking at each other', async () => {
    const { gate, enter } = stage({ maxSize: 10_000 })
    await enter()
    const waiting = Array.from({ length: 10_000 }, () => enter().then(() => gate.leave()))
    gate.leave()
    await Promise.all(waiting)
    await enter()
  })
})

describe('withGate', () => {
  it('starts no call that its callers would not wait a second for, and passes the slot on', async () => {
    const { gate, told } = stage()
    const model = fakeModel('alpha/small', [async () => completionOf('alpha/small', 'Fine.')])
    const gated = withGate(model, gate)
    const deadlineAt = clock.now() + 60_000
    await gate.enter('alpha/small', { deadlineAt }, never)
    // A shared call has a deadline of its own; what counts is when the last of its callers gives up.
    const waitsUntil = () => clock.now() + 999
    const late = gated.complete(requestOf({ deadlineAt, listener: { waitsUntil } }), never)
    const patient = gated.complete(requestOf({ deadlineAt }), never)
    gate.leave()
    await expect(late).rejects.toMatchObject({ outcome: 'queue_timeout' })
    expect((await patient).text).toBe('Fine.')
    expect(model.requests).toHaveLength(1)
    expect(told).toContainEqual(['rejected', 'alpha', 'queue_timeout'])
  })

  it('gives its slot back after a failure', async () => {
    const { gate } = stage({ maxSize: 0 })
    const model = withGate(
      fakeModel('alpha/small', [fails('alpha/small', 'network'), async () => completionOf('alpha/small', 'Fine.')]),
      gate,
    )
    const request = requestOf({ deadlineAt: clock.now() + 1000 })
    await expect(model.complete(request, never)).rejects.toMatchObject({ outcome: 'network' })
    expect((await model.complete(request, never)).text).toBe('Fine.')
  })
})
