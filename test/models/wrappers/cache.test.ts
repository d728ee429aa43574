import { describe, expect, it } from 'vitest'
import type { Completion } from '../../../src/models/model.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { memoryStore } from '../../../src/models/stores/memory.ts'
import type { Store } from '../../../src/models/stores/store.ts'
import { withCache } from '../../../src/models/wrappers/cache.ts'
import { requestKey } from '../../../src/models/wrappers/sharing/request-key.ts'
import { type Asked, completionOf, fails, fakeModel, never, requestOf, says } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

function cached(
  replies: Parameters<typeof fakeModel>[1],
  more: { store?: Store; ttlMs?: number; maxBytes?: number } = {},
) {
  const clock = virtualClock()
  const counts: string[] = []
  const model = fakeModel('a', replies)
  const store = more.store ?? memoryStore({ clock, maxBytes: more.maxBytes ?? 1_000_000 })
  const observer = { ...silentObserver, cache: (result: string) => void counts.push(result) }
  const chain = withCache(model, { key: requestKey('chain'), store, ttlMs: more.ttlMs ?? 1_000, clock, observer })
  const ask = (request: Asked = {}) => chain.complete(requestOf(request), never())
  return { ask, model, clock, counts, store }
}

describe('cache', () => {
  it('gives a finished answer again without attempts, calls or cost', async () => {
    const { ask, model, counts } = cached([says('a', 'Kept.', { method: 'fold', warnings: ['w'] })])
    expect((await ask()).cache).toBe('miss')
    const again = await ask()
    expect(again).toMatchObject({
      text: 'Kept.',
      model: 'a',
      method: 'fold',
      warnings: ['w'],
      cache: 'hit',
    })
    expect(again).toMatchObject({ attempts: [], calls: [], usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } })
    expect(model.requests).toHaveLength(1)
    expect(counts).toEqual(['miss', 'hit'])
  })

  it.each<[string, Asked]>([
    ['system', { system: 'Another.' }],
    ['prompt', { prompt: 'Tell what happened!' }],
    ['maxTokens', { maxTokens: 401 }],
    ['expects', { expects: 'headings' }],
    ['fold', { fold: false }],
    ['the border between system and prompt', { system: 'You summarise.T', prompt: 'ell what happened.' }],
  ])('takes another %s for another question', async (_name, change) => {
    const { ask, model } = cached([says('a', 'One.')])
    await ask()
    await ask(change)
    expect(model.requests).toHaveLength(2)
  })

  it('asks anew for noCache and keeps that answer', async () => {
    const { ask } = cached([says('a', 'Old.'), says('a', 'New.')])
    await ask()
    expect((await ask({ noCache: true })).text).toBe('New.')
    expect((await ask()).text).toBe('New.')
  })

  it.each<[string, Partial<Completion>]>([
    ['degraded', { degraded: true }],
    ['truncated', { truncated: true }],
  ])('keeps no %s answer', async (_name, more) => {
    const { ask, model } = cached([says('a', 'Weak.', more)])
    await ask()
    expect((await ask()).cache).toBe('miss')
    expect(model.requests).toHaveLength(2)
  })

  it('keeps no failure, and lets the next one try', async () => {
    const { ask } = cached([fails('a', 'bad_request'), says('a', 'Better.')])
    await expect(ask()).rejects.toMatchObject({ outcome: 'bad_request' })
    expect((await ask()).text).toBe('Better.')
  })

  it('forgets after ttlMs', async () => {
    const { ask, clock } = cached([says('a', 'One.')])
    await ask()
    await clock.advance(999)
    expect((await ask()).cache).toBe('hit')
    await clock.advance(2)
    expect((await ask()).cache).toBe('miss')
  })

  it('keeps nothing with ttlMs 0', async () => {
    const { ask } = cached([says('a', 'One.')], { ttlMs: 0 })
    await ask()
    expect((await ask()).cache).toBe('miss')
  })

  const kept = (text: string) => JSON.stringify({ text, model: 'b', method: 'model', warnings: [] })

  it.each(['{"text":1}', kept(' \n'), kept('\u200b\u2060'), kept('\u0000')])(
    'takes a stored %s for none',
    async (value) => {
      const clock = virtualClock()
      const store: Store = { ...memoryStore({ clock, maxBytes: 0 }), get: async () => value }
      expect((await cached([says('a', 'One.')], { store }).ask()).text).toBe('One.')
    },
  )

  it('cleans what was stored, and does not take it where headings were asked for and there are none', async () => {
    const clock = virtualClock()
    const store: Store = { ...memoryStore({ clock, maxBytes: 0 }), get: async () => kept('kept\u0000 text') }
    const { ask } = cached([says('a', '## Goal\n- new')], { store })
    expect((await ask()).text).toBe('kept text')
    expect((await ask({ expects: 'headings' })).text).toBe('## Goal\n- new')
  })

  it('stores no prompt', async () => {
    const clock = virtualClock()
    const stored: string[] = []
    const store: Store = {
      ...memoryStore({ clock, maxBytes: 0 }),
      set: async (key, value) => void stored.push(key, value),
    }
    await cached([says('a', 'One.')], { store }).ask({ prompt: 'heron-6120' })
    expect(stored).toHaveLength(2)
    expect(stored.join()).not.toContain('heron-6120')
  })
})

describe('cache between replicas', () => {
  function replicas() {
    const clock = virtualClock()
    const shared = memoryStore({ clock, maxBytes: 1_000_000 })
    const gate = Promise.withResolvers<Completion>()
    const replica = (replies: Parameters<typeof fakeModel>[1]) => {
      const model = fakeModel('a', replies)
      const chain = withCache(model, {
        key: requestKey('chain'),
        store: shared,
        ttlMs: 600_000,
        clock,
        observer: silentObserver,
      })
      return { model, ask: () => chain.complete(requestOf({ deadlineAt: clock.now() + 100_000 }), never()) }
    }
    return { clock, gate, one: replica([() => gate.promise]), two: replica([says('a', 'From two.')]) }
  }

  it('waits for the answer another replica is making', async () => {
    const { clock, gate, one, two } = replicas()
    const first = one.ask()
    await clock.advance(1)
    const second = two.ask()
    await clock.advance(3_000)
    gate.resolve(completionOf('a', 'From one.'))
    expect((await first).text).toBe('From one.')
    expect(await clock.settle(second)).toMatchObject({ text: 'From one.', cache: 'coalesced', attempts: [] })
    expect(two.model.requests).toHaveLength(0)
  })

  it('takes its turn when the other replica failed', async () => {
    const { clock, gate, one, two } = replicas()
    const first = one.ask().catch(() => 'failed')
    await clock.advance(1)
    const second = two.ask()
    await clock.advance(500)
    gate.reject(new Error('down'))
    expect(await first).toBe('failed')
    expect((await clock.settle(second)).text).toBe('From two.')
  })

  it('waits for half of its time at most', async () => {
    const { clock, one, two } = replicas()
    void one.ask()
    await clock.advance(1)
    const startedAt = clock.now()
    expect((await clock.settle(two.ask())).text).toBe('From two.')
    expect(clock.now() - startedAt).toBeLessThanOrEqual(50_000)
  })
})
