import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../../src/models/stores/memory.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

describe('memoryStore, its values', () => {
  const stage = (maxBytes: number) => {
    const store = memoryStore({ clock: virtualClock(), maxBytes })
    return { set: (key: string, value: string) => store.set(key, value, 100), get: store.get }
  }

  it('lets go of what nobody asked for longest once the bytes are full', async () => {
    const { set, get } = stage(3 * 1_300)
    for (const key of ['a', 'b', 'c']) await set(key, 'x'.repeat(1_000))
    expect(await get('a')).toBeDefined()
    await set('d', 'x'.repeat(1_000))
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(async (key) => (await get(key)) !== undefined))).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it('counts UTF-8 bytes, also of what is replaced', async () => {
    const { set, get } = stage(1_000)
    await set('a', 'ä'.repeat(500))
    expect(await get('a')).toBeUndefined()
    for (let i = 0; i < 50; i += 1) await set('a', 'x'.repeat(500))
    await set('b', 'y')
    expect([await get('a'), await get('b')]).toEqual(['x'.repeat(500), 'y'])
  })

  it('drops a stale value when its successor is too large', async () => {
    const { set, get } = stage(1_000)
    await set('a', 'old')
    await set('a', 'x'.repeat(2_000))
    expect(await get('a')).toBeUndefined()
  })

  it('keeps nothing where there is room for nothing', async () => {
    const { set, get } = stage(0)
    await set('a', 'x')
    expect(await get('a')).toBeUndefined()
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
