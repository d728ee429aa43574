import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/models/stores/memory.ts'
import { joinReplicas, withoutCost } from '../../src/requests/join-replicas.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const never = new AbortController().signal
const ANSWER = {
  json: '{"summary":"S","usage":{"costUsd":3},"calls":[{"kind":"summary","usage":{"costUsd":3}}]}',
  model: 'alpha/small',
}

/** Two replicas on one store. */
function replicas() {
  const clock = virtualClock()
  const store = memoryStore({ clock, maxBytes: 1_000_000 })
  const kept: string[] = []
  const watched = {
    ...store,
    set: (key: string, value: string, ttlMs: number) => {
      kept.push(`${key} ${value}`)
      return store.set(key, value, ttlMs)
    },
  }
  return { clock, kept, join: joinReplicas({ store: watched, clock }) }
}

describe('joinReplicas', () => {
  it('lets one replica work and gives the other its answer, free of charge', async () => {
    const { clock, join } = replicas()
    const gate = Promise.withResolvers<typeof ANSWER>()
    let runs = 0
    const run = () => {
      runs += 1
      return gate.promise
    }
    const one = join({ question: 'q', leftMs: 60_000, run }, never)
    const two = join({ question: 'q', leftMs: 60_000, run }, never)
    await clock.advance(500)
    gate.resolve(ANSWER)
    expect(await clock.settle(one)).toEqual(ANSWER)
    const joined = await clock.settle(two)
    expect(joined).toMatchObject({ model: 'alpha/small', cache: 'coalesced' })
    expect(JSON.parse(joined.json)).toMatchObject({
      summary: 'S',
      usage: { costUsd: 0 },
      calls: [{ kind: 'summary', usage: { costUsd: 0 } }],
    })
    expect(runs).toBe(1)
  })

  it('keeps nothing where nobody waits, and what it keeps nobody reads without the question', async () => {
    const { clock, kept, join } = replicas()
    await clock.settle(join({ question: 'alone', leftMs: 60_000, run: async () => ANSWER }, never))
    expect(kept).toEqual([])
    const gate = Promise.withResolvers<typeof ANSWER>()
    const one = join({ question: 'the prompt', leftMs: 60_000, run: () => gate.promise }, never)
    const two = join({ question: 'the prompt', leftMs: 60_000, run: () => gate.promise }, never)
    await clock.advance(500)
    gate.resolve(ANSWER)
    await clock.settle(Promise.all([one, two]))
    expect(kept.join()).not.toMatch(/the prompt|summary/)
  })

  it('works itself when the other fails', async () => {
    const { clock, join } = replicas()
    const gate = Promise.withResolvers<typeof ANSWER>()
    const failing = join({ question: 'q', leftMs: 60_000, run: () => gate.promise }, never)
    const next = join({ question: 'q', leftMs: 60_000, run: async () => ANSWER }, never)
    await clock.advance(1_000)
    gate.reject(new Error('broken'))
    await expect(failing).rejects.toThrow('broken')
    expect(await clock.settle(next)).toEqual(ANSWER)
  })

  it('works itself when waiting has taken half of its time', async () => {
    const { clock, join } = replicas()
    const startedAt = clock.now()
    void join({ question: 'q', leftMs: 60_000, run: () => new Promise(() => {}) }, never)
    expect(await clock.settle(join({ question: 'q', leftMs: 1_000, run: async () => ANSWER }, never))).toEqual(ANSWER)
    expect(clock.now() - startedAt).toBeLessThanOrEqual(500)
  })
})

it.each([
  ['{"summary":"S"}', { summary: 'S' }],
  ['{"usage":{"costUsd":1}}', { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } }],
  ['{"usage":{},"calls":[]}', { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 }, calls: [] }],
])('withoutCost of %s', (json, expected) => {
  expect(JSON.parse(withoutCost({ json }).json)).toEqual(expected)
})
