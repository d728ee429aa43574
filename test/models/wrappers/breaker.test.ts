import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/models/model.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { memoryStore } from '../../../src/models/stores/memory.ts'
import { createBreaker, withBreaker, withEarlyRefusal } from '../../../src/models/wrappers/breaker.ts'
import { fails, fakeModel, hangs, never, requestOf, says } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const clock = virtualClock()

function stage(store = memoryStore({ clock, maxBytes: 0 })) {
  const breaker = createBreaker({ model: 'a/b', failureThreshold: 2, cooldownMs: 1000, store, clock })
  const end = (outcome: AttemptOutcome) => breaker.settle(breaker.enter(), outcome)
  return { breaker, end, store }
}

describe('createBreaker', () => {
  it('is closed from the start', () => {
    expect(stage().breaker.state()).toBe('closed')
  })

  it('opens after N faults in a row, and a success between them starts the count again', () => {
    const { breaker, end } = stage()
    for (const outcome of ['server_error', 'ok', 'timeout'] as const) end(outcome)
    expect(breaker.state()).toBe('closed')
    end('network')
    expect(breaker.state()).toBe('open')
    expect(() => breaker.enter()).toThrow(ModelError)
  })

  it.each([
    'bad_request',
    'overflow',
    'aborted',
    'queue_full',
    'queue_timeout',
    'key_resting',
    'auth',
    'quota',
    'rate_limited',
    'not_found',
    'refused',
    'truncated',
    'not_a_summary',
  ] as const)('%s is not the model’s fault', (outcome) => {
    const { breaker, end } = stage()
    for (let i = 0; i < 5; i += 1) end(outcome)
    expect(breaker.state()).toBe('closed')
  })

  it.each(['timeout', 'network', 'server_error', 'bad_response', 'empty'] as const)('%s is', (outcome) => {
    const { breaker, end } = stage()
    for (let i = 0; i < 2; i += 1) end(outcome)
    expect(breaker.state()).toBe('open')
  })

  it('lets one probe through after the cooldown and closes on its success', async () => {
    const { breaker, end } = stage()
    end('timeout')
    end('timeout')
    expect(() => breaker.enter()).toThrow(
      expect.objectContaining({ outcome: 'breaker_open', facts: { retryAfterMs: 1000 } }),
    )
    expect(breaker.state()).toBe('open')
    await clock.advance(1000)
    expect(breaker.state()).toBe('half-open')
    const probe = breaker.enter()
    expect(() => breaker.enter()).toThrow(ModelError)
    breaker.settle(probe, 'ok')
    expect(breaker.state()).toBe('closed')
    expect(breaker.enter()).toEqual({ probe: false })
  })

  it('a failed probe opens it again for a whole cooldown', async () => {
    const { breaker, end } = stage()
    end('timeout')
    end('timeout')
    await clock.advance(1000)
    end('server_error')
    await clock.advance(999)
    expect(breaker.state()).toBe('open')
    await clock.advance(1)
    expect(breaker.state()).toBe('half-open')
  })

  it.each(['aborted', 'bad_request', 'queue_full'] as const)(
    'a probe that ends as %s frees its place for the next',
    async (outcome) => {
      const { breaker, end } = stage()
      end('timeout')
      end('timeout')
      await clock.advance(1000)
      end(outcome)
      expect(breaker.state()).toBe('half-open')
      expect(breaker.enter()).toEqual({ probe: true })
    },
  )

  it('a call from before it opened neither closes it nor makes it wait longer', async () => {
    const { breaker, end } = stage()
    const [late, later] = [breaker.enter(), breaker.enter()]
    end('timeout')
    end('timeout')
    breaker.settle(late, 'ok')
    expect(breaker.state()).toBe('open')
    await clock.advance(900)
    breaker.settle(later, 'timeout')
    await clock.advance(100)
    expect(breaker.state()).toBe('half-open')
  })

  it('opens for every replica that shares the store, each with a probe of its own', async () => {
    const one = stage()
    const two = stage(one.store)
    one.end('timeout')
    one.end('timeout')
    expect(two.breaker.state()).toBe('open')
    await clock.advance(1000)
    expect(two.breaker.enter()).toEqual({ probe: true })
  })
})

describe('withEarlyRefusal', () => {
  it('turns calls away before a line and leaves the probe to who comes out of it', async () => {
    const { breaker, end } = stage()
    const inner = fakeModel('a/b', [says('a/b', 'Fine.')])
    const model = withEarlyRefusal(inner, breaker)
    end('timeout')
    end('timeout')
    await expect(model.complete(requestOf(), never())).rejects.toMatchObject({ outcome: 'breaker_open' })
    await clock.advance(1000)
    // Two may stand in line for the one probe; a third that comes while it is out may not.
    await model.complete(requestOf(), never())
    await model.complete(requestOf(), never())
    expect(breaker.enter()).toEqual({ probe: true })
    await expect(model.complete(requestOf(), never())).rejects.toMatchObject({ outcome: 'breaker_open' })
    expect(inner.requests).toHaveLength(2)
  })
})

describe('withBreaker', () => {
  it('skips the model while open, and counts an abort of the caller for nothing', async () => {
    const { breaker } = stage()
    const inner = fakeModel('a/b', [
      hangs,
      hangs,
      fails('a/b', 'network'),
      fails('a/b', 'network'),
      says('a/b', 'Fine.'),
    ])
    const model = withBreaker(inner, breaker)
    for (let i = 0; i < 2; i += 1)
      await expect(model.complete(requestOf(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    expect(breaker.state()).toBe('closed')
    for (let i = 0; i < 2; i += 1)
      await expect(model.complete(requestOf(), never())).rejects.toMatchObject({ outcome: 'network' })
    await expect(model.complete(requestOf(), never())).rejects.toMatchObject({ outcome: 'breaker_open' })
    expect(inner.requests.length).toBe(4)
    await clock.advance(1000)
    expect((await model.complete(requestOf(), never())).text).toBe('Fine.')
    expect(breaker.state()).toBe('closed')
  })
})
