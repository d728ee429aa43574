import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/models/stores/memory.ts'
import { called } from '../../src/requests/answer.ts'
import { joinReplicas, withoutCost } from '../../src/requests/join-replicas.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const never = new AbortController().signal
const ROW = { kind: 'summary', model: 'alpha/small', usage: { costUsd: 3 } }
const RESULT = { summary: 'S', usage: { costUsd: 3 }, calls: [ROW] }
const ANSWER = called(RESULT)

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

describe('withoutCost', () => {
  const FREE = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
  const spent = { inputTokens: 7, outputTokens: 3, costUsd: 1 }
  const result = { usage: spent, text: 'one, "calls":[ and "usage":{', calls: [{ model: 'alpha/small', usage: spent }] }

  it('takes the cost out of what several calls have made, and nothing else', () => {
    const joined = withoutCost(called(result))
    expect(JSON.parse(joined.json)).toEqual({ ...result, usage: FREE, calls: [{ model: 'alpha/small', usage: FREE }] })
    expect(joined).toMatchObject({ model: 'alpha/small', costAt: expect.any(Number) })
  })

  it('taken twice is as taken once', () => {
    const once = withoutCost(called(result))
    expect(withoutCost(once)).toEqual(once)
  })

  it('looks only at the end of a long answer', () => {
    const broken = { json: `{"text":not JSON,"calls":[],"usage":{}}`, costAt: '{"text":not JSON'.length }
    expect(withoutCost(broken).json).toBe(`{"text":not JSON,"calls":[],"usage":${JSON.stringify(FREE)}}`)
  })

  it('leaves an answer that cost nothing as it is', () => {
    expect(withoutCost({ json: '{"summary":"S"}' })).toEqual({ json: '{"summary":"S"}' })
  })
})
