import { beforeEach, describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/models/model.ts'
import { ModelError, type ModelErrorFacts } from '../../../src/models/model-error.ts'
import { type MemoryStore, memoryStore } from '../../../src/models/stores/memory.ts'
import { createKeyPool, withKeys } from '../../../src/models/wrappers/keys.ts'
import { completionOf, never, requestOf } from '../../support/fake-model.ts'
import { type VirtualClock, virtualClock } from '../../support/virtual-clock.ts'

let clock: VirtualClock
let store: MemoryStore
beforeEach(() => {
  clock = virtualClock()
  store = memoryStore({ clock, maxBytes: 0 })
})

type Ending = Exclude<AttemptOutcome, 'ok'> | readonly [Exclude<AttemptOutcome, 'ok'>, ModelErrorFacts]

/** A model whose answer depends on the key; a key without an ending answers. */
function stage(keys: readonly string[], endings: Readonly<Record<string, Ending>> = {}) {
  const used: (string | undefined)[] = []
  const pool = createKeyPool({ provider: 'alpha', keys, store, clock, maxDelayMs: 30_000 })
  const source = {
    id: 'alpha/small',
    contextWindow: 8000,
    maxOutputTokens: 100,
    async completeWith(key: string | undefined) {
      used.push(key)
      const ending = endings[key ?? '']
      if (ending === undefined) return completionOf('alpha/small', 'Fine.')
      const [outcome, facts] = typeof ending === 'string' ? [ending, {}] : ending
      throw new ModelError('alpha/small', outcome, facts)
    },
  }
  const model = withKeys(source, { pool, clock })
  const ask = (leftMs = 100_000) => model.complete(requestOf({ deadlineAt: clock.now() + leftMs }), never())
  const failure = async (leftMs?: number) => {
    const error: unknown = await ask(leftMs).catch((reason: unknown) => reason)
    if (!(error instanceof ModelError)) throw new Error('no failure')
    return error
  }
  return { used, pool, model, ask, failure }
}

describe('createKeyPool', () => {
  it('gives the least busy key', () => {
    const { pool } = stage(['a', 'b', 'c'])
    const taken = Array.from({ length: 6 }, () => {
      const key = pool.take()
      if ('inFlight' in key) key.inFlight += 1
      return 'value' in key ? key.value : undefined
    })
    expect(taken).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  })

  it('never puts a key into the store’s names', async () => {
    const { ask } = stage(['sk-secret'], { 'sk-secret': 'auth' })
    await ask().catch(() => {})
    expect([...store.marks().keys()].join()).toMatch(/^key-stop:alpha:[0-9a-f]{32}$/)
  })
})

describe('withKeys', () => {
  it('keeps the facts of the model', () => {
    expect(stage(['a']).model).toMatchObject({ id: 'alpha/small', contextWindow: 8000, maxOutputTokens: 100 })
  })

  it('calls a provider without keys with none', async () => {
    const { ask, used } = stage([])
    await ask()
    expect(used).toEqual([undefined])
  })

  it.each([
    ['auth', 10 * 60_000],
    ['quota', 60 * 60_000],
  ] as const)('%s rests the key and says that another one is free', async (outcome, restMs) => {
    const { ask, failure, used } = stage(['old', 'new'], { old: outcome })
    expect((await failure()).facts.anotherKey).toBe(true)
    await clock.advance(restMs - 1)
    await ask()
    await ask()
    expect(used).toEqual(['old', 'new', 'new'])
    await clock.advance(1)
    await failure()
    expect(used.at(-1)).toBe('old')
  })

  it.each([
    ['over maxDelayMs', 45_000, 100_000],
    ['past the deadline', 20_000, 10_000],
  ])('a 429 whose hint is %s rests the key until then', async (_name, retryAfterMs, leftMs) => {
    const { ask, failure, used } = stage(['a', 'b'], { a: ['rate_limited', { retryAfterMs }] })
    expect((await failure(leftMs)).facts.anotherKey).toBe(true)
    await clock.advance(retryAfterMs - 1)
    await ask()
    expect(used).toEqual(['a', 'b'])
    await clock.advance(1)
    await failure(leftMs)
  })

  it.each([
    ['a short 429', ['rate_limited', { retryAfterMs: 1000 }]],
    ['a 429 without a hint', 'rate_limited'],
    ['a 500', 'server_error'],
  ] as const)('%s rests no key and says nothing of others', async (_name, ending) => {
    const { failure, used } = stage(['a', 'b'], { a: ending })
    expect((await failure()).facts.anotherKey).toBeUndefined()
    await failure()
    expect(used).toEqual(['a', 'a'])
  })

  it('a second 429 extends a rest and never shortens it', () => {
    const { pool } = stage(['a'])
    const key = pool.take()
    if (!('pause' in key)) throw new Error('no key')
    const limited = (retryAfterMs: number) => new ModelError('alpha/small', 'rate_limited', { retryAfterMs })
    pool.rest(key, limited(90_000), 100_000)
    pool.rest(key, limited(40_000), 100_000)
    expect(pool.take()).toEqual({ retryAfterMs: 90_000, permanent: false })
  })

  it('all resting: says when the first is free, and sends nothing', async () => {
    const { failure, used } = stage(['a', 'b'], {
      a: ['rate_limited', { retryAfterMs: 90_000 }],
      b: ['rate_limited', { retryAfterMs: 45_000 }],
    })
    expect((await failure()).facts.anotherKey).toBe(true)
    expect((await failure()).facts.anotherKey).toBe(false)
    const error = await failure()
    expect([error.outcome, error.facts]).toEqual(['key_resting', { retryAfterMs: 45_000, permanent: false }])
    expect(used.length).toBe(2)
  })

  it('all resting for auth or quota is permanent; one that only waits makes it passing', async () => {
    const dead = stage(['a', 'b'], { a: 'auth', b: 'quota' })
    await dead.failure()
    await dead.failure()
    expect((await dead.failure()).facts).toEqual({ retryAfterMs: 10 * 60_000, permanent: true })
    const mixed = stage(['c', 'd'], { c: 'auth', d: ['rate_limited', { retryAfterMs: 60_000 }] })
    await mixed.failure()
    await mixed.failure()
    expect((await mixed.failure()).facts).toEqual({ retryAfterMs: 60_000, permanent: false })
  })

  it('rests a key for every replica that shares the store', async () => {
    await stage(['a', 'b'], { a: 'auth' }).failure()
    const other = stage(['a', 'b'])
    await other.ask()
    expect(other.used).toEqual(['b'])
  })

  it('gives the key back after success, failure and abort', async () => {
    const { ask, failure, pool } = stage(['a', 'bad'], { bad: 'server_error' })
    await ask()
    const busy = pool.take()
    if ('inFlight' in busy) busy.inFlight = 5
    await failure()
    const other = pool.take()
    expect('inFlight' in other && other.inFlight).toBe(0)
  })
})
