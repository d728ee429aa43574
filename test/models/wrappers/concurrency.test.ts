import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LimitsOf, NO_LIMITS } from '../../../src/models/callers/caller-limits.ts'
import { createCallerSlots } from '../../../src/models/callers/caller-slots.ts'
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

interface StageOptions {
  readonly maxConcurrency?: number
  readonly maxSize?: number
  readonly maxWaitMs?: number
  readonly limitsOf?: LimitsOf
}

function stage(options: StageOptions = {}) {
  const observed: unknown[] = []
  const observer = {
    ...silentObserver,
    queueDepth: (provider: string, depth: number) => observed.push(['depth', provider, depth]),
    queueWait: (provider: string, seconds: number) => observed.push(['wait', provider, seconds]),
    queueRejected: (provider: string, reason: string) => observed.push(['rejected', provider, reason]),
  }
  const { maxConcurrency = 1, maxSize = 2, maxWaitMs = 1000, limitsOf = () => NO_LIMITS } = options
  const limit = createConcurrencyLimit({
    provider: 'alpha',
    maxConcurrency,
    queue: { maxSize, maxWaitMs },
    observer,
    clock,
    limitsOf,
    slots: createCallerSlots(limitsOf),
  })
  const acquire = (signal = never, leftMs = 60_000, caller?: string) =>
    Promise.resolve(limit.acquire('alpha/small', requestOf({ deadlineAt: clock.now() + leftMs, caller }), signal))
  const release = (caller?: string) => limit.release(requestOf({ caller }))
  return { limit, acquire, release, observed }
}

describe('createConcurrencyLimit', () => {
  it('lets maxConcurrency in and the others wait in order of arrival', async () => {
    const { acquire, release } = stage({ maxConcurrency: 2, maxSize: 3 })
    const order: string[] = []
    await acquire()
    await acquire()
    const waiting = ['a', 'b', 'c'].map((name) => acquire().then(() => order.push(name)))
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual([])
    for (let i = 0; i < 3; i += 1) release()
    await Promise.all(waiting)
    expect(order).toEqual(['a', 'b', 'c'])
  })

  const inOrder = async (
    { acquire, release }: ReturnType<typeof stage>,
    callers: readonly string[],
  ): Promise<readonly string[]> => {
    const order: string[] = []
    await acquire(never, 60_000, 'first')
    const waiting = callers.map((caller) => acquire(never, 60_000, caller).then(() => order.push(caller)))
    let last = 'first'
    for (let i = 0; i < callers.length; i += 1) {
      release(last)
      await vi.advanceTimersByTimeAsync(0)
      last = order.at(-1) ?? ''
    }
    await Promise.all(waiting)
    return order
  }

  it('takes turns between callers, so that nobody waits behind the whole line of another', async () => {
    const callers = ['greedy', 'greedy', 'greedy', 'greedy', 'quiet', 'quiet']
    const order = await inOrder(stage({ maxSize: 10 }), callers)
    expect(order).toEqual(['greedy', 'quiet', 'greedy', 'quiet', 'greedy', 'greedy'])
  })

  it('leaves one place in sixteen to keys that have none, where keys share', async () => {
    const { acquire, release } = stage({
      maxConcurrency: 32,
      maxSize: 10,
      limitsOf: (caller) => ({ weight: 1, leavesRoom: caller !== 'only' }),
    })
    for (let i = 0; i < 30; i += 1) await acquire(never, 60_000, 'greedy')
    let isIn = false
    const waiting = acquire(never, 60_000, 'greedy').then(() => {
      isIn = true
    })
    await acquire(never, 60_000, 'quiet')
    await acquire(never, 60_000, 'another')
    release('quiet')
    await vi.advanceTimersByTimeAsync(0)
    expect(isIn).toBe(false)
    release('greedy')
    release('greedy')
    await waiting
  })

  it('gives every place to a key that is alone', async () => {
    const { limit, acquire } = stage({ maxConcurrency: 32 })
    for (let i = 0; i < 32; i += 1) await acquire(never, 60_000, 'only')
    expect(limit.free()).toBe(0)
  })

  it('gives more turns to more weight', async () => {
    const limitsOf = (caller: string) => ({ weight: caller === 'heavy' ? 3 : 1 })
    const callers = [...Array<string>(4).fill('light'), ...Array<string>(9).fill('heavy')]
    const order = await inOrder(stage({ maxSize: 20, limitsOf }), callers)
    expect(order.slice(0, 8).filter((caller) => caller === 'heavy')).toHaveLength(6)
  })

  it('lets others pass a caller who has as many calls as it may', async () => {
    const limitsOf = (caller: string) => ({ weight: 1, maxConcurrency: caller === 'one' ? 1 : undefined })
    const { acquire, release } = stage({ maxConcurrency: 3, limitsOf })
    await acquire(never, 60_000, 'one')
    let second = false
    const waiting = acquire(never, 60_000, 'one').then(() => {
      second = true
    })
    await acquire(never, 60_000, 'two')
    expect(second).toBe(false)
    release('one')
    await waiting
    expect(second).toBe(true)
  })

  it('has room in a full queue for who has less than its share, and none for who has more', async () => {
    const { acquire, release } = stage({ maxSize: 2 })
    await acquire()
    const first = acquire(never, 60_000, 'greedy')
    const second = acquire(never, 60_000, 'greedy')
    await expect(acquire(never, 60_000, 'greedy')).rejects.toMatchObject({ outcome: 'queue_full' })
    const quiet = acquire(never, 60_000, 'quiet')
    await expect(second).rejects.toMatchObject({ outcome: 'queue_full' })
    release()
    await first
    release('greedy')
    await quiet
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
    const { acquire, release, observed } = stage()
    await acquire()
    const controller = new AbortController()
    const gone = acquire(controller.signal)
    const next = acquire()
    const reason = new Error('gone')
    controller.abort(reason)
    await expect(gone).rejects.toBe(reason)
    release()
    await next
    expect(observed.at(-2)).toEqual(['depth', 'alpha', 0])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('tells depth and wait of those who wait, and nothing of those who need not', async () => {
    const { acquire, release, observed } = stage()
    await acquire()
    expect(observed).toEqual([])
    const waiting = acquire()
    await vi.advanceTimersByTimeAsync(250)
    release()
    await waiting
    expect(observed).toEqual([
      ['depth', 'alpha', 1],
      ['depth', 'alpha', 0],
      ['wait', 'alpha', 0.25],
    ])
  })

  it('passes ten thousand waiters on without looking at each other', async () => {
    const { acquire, release } = stage({ maxSize: 10_000 })
    await acquire()
    const waiting = Array.from({ length: 10_000 }, () => acquire().then(() => release()))
    release()
    await Promise.all(waiting)
    await acquire()
  })
})

describe('withConcurrency', () => {
  it('starts no call that its callers would not wait a second for, and passes the slot on', async () => {
    const { limit, release, observed } = stage()
    const model = fakeModel('alpha/small', [async () => completionOf('alpha/small', 'Fine.')])
    const gated = withConcurrency(model, { limit, clock, observer: silentObserver })
    const deadlineAt = clock.now() + 60_000
    await limit.acquire('alpha/small', requestOf({ deadlineAt }), never)
    // A shared call has a deadline of its own; what counts is when the last of its callers gives up.
    const waitsUntil = () => clock.now() + 999
    const late = gated.complete(requestOf({ deadlineAt, listener: { waitsUntil } }), never)
    const patient = gated.complete(requestOf({ deadlineAt }), never)
    release()
    await expect(late).rejects.toMatchObject({ outcome: 'queue_timeout' })
    expect((await patient).text).toBe('Fine.')
    expect(model.requests).toHaveLength(1)
    expect(observed).toContainEqual(['rejected', 'alpha', 'queue_timeout'])
  })

  it('gives its slot back after a failure', async () => {
    const { limit } = stage({ maxSize: 0 })
    const model = withConcurrency(
      fakeModel('alpha/small', [fails('alpha/small', 'network'), async () => completionOf('alpha/small', 'Fine.')]),
      { limit, clock, observer: silentObserver },
    )
    const request = requestOf({ deadlineAt: clock.now() + 1000 })
    await expect(model.complete(request, never)).rejects.toMatchObject({ outcome: 'network' })
    expect((await model.complete(request, never)).text).toBe('Fine.')
  })
})
