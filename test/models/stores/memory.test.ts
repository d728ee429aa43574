import { describe, expect, it } from 'vitest'
import { byteLru } from '../../../src/models/stores/byte-lru.ts'
import { memoryStore } from '../../../src/models/stores/memory.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

describe('byteLru', () => {
  it('lets go of what nobody asked for longest once the bytes are full', () => {
    const lru = byteLru(3 * 1_300)
    for (const key of ['a', 'b', 'c']) lru.set(key, 'x'.repeat(1_000), 100)
    expect(lru.get('a', 0)).toBeDefined()
    lru.set('d', 'x'.repeat(1_000), 100)
    expect(['a', 'b', 'c', 'd'].filter((key) => lru.get(key, 0) !== undefined)).toEqual(['a', 'c', 'd'])
  })

  it('counts UTF-8 bytes, also of what is replaced', () => {
    const lru = byteLru(1_000)
    lru.set('a', 'ä'.repeat(500), 100)
    expect(lru.get('a', 0)).toBeUndefined()
    for (let i = 0; i < 50; i += 1) lru.set('a', 'x'.repeat(500), 100)
    lru.set('b', 'y', 100)
    expect([lru.get('a', 0), lru.get('b', 0)]).toEqual(['x'.repeat(500), 'y'])
  })

  it('drops a stale value when its successor is too large', () => {
    const lru = byteLru(1_000)
    lru.set('a', 'old', 100)
    lru.set('a', 'x'.repeat(2_000), 100)
    expect(lru.get('a', 0)).toBeUndefined()
  })
})

describe('memoryStore', () => {
  it('extends a mark and never shortens it', () => {
    const clock = virtualClock()
    const store = memoryStore({ clock, maxBytes: 0 })
    const later = clock.now() + 60_000
    store.mark('key:1', later)
    store.mark('key:1', clock.now() + 5_000)
    expect(store.until('key:1')).toBe(later)
    store.mark('key:1', later + 1)
    expect(store.until('key:1')).toBe(later + 1)
    store.clear('key:1')
    expect(store.until('key:1')).toBe(0)
  })

  it('forgets a mark that has passed', async () => {
    const clock = virtualClock()
    const store = memoryStore({ clock, maxBytes: 0 })
    store.mark('a', clock.now() + 1_000)
    await clock.advance(1_000)
    expect(store.until('a')).toBe(0)
    expect(store.marks().size).toBe(0)
  })

  it('hands a lease to one at a time, and releases only once', async () => {
    const store = memoryStore({ clock: virtualClock(), maxBytes: 0 })
    const first = await store.lease('session', 1_000)
    expect(await store.lease('session', 1_000)).toBe('taken')
    if (first === 'taken') throw new Error('the first lease was refused')
    await first.release()
    expect(await store.lease('session', 1_000)).not.toBe('taken')
    await first.release()
    expect(await store.lease('session', 1_000)).toBe('taken')
  })
})
