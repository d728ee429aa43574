import { describe, expect, it } from 'vitest'
import { threadPool } from '../../src/workers/pool.ts'
import type { Thread, ThreadEnd } from '../../src/workers/thread.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const never = new AbortController().signal

/** Threads that hold what they are given until the test says how it ends. */
function stage({ threads = 2, threadHeapBytes = 100, mainBytes = 1_000 } = {}) {
  const clock = virtualClock()
  const ended: ThreadEnd[] = []
  const made: { end(reason: ThreadEnd): void; held: Map<string, PromiseWithResolvers<void>> }[] = []
  const pool = threadPool({
    budget: { threads, threadHeapBytes, mainBytes, bodiesBytes: 0, cacheBytes: 0 },
    clock,
    startThread(onOver) {
      const held = new Map<string, PromiseWithResolvers<void>>()
      const end = (reason: ThreadEnd) => {
        onOver(reason, new Error(reason))
        for (const { reject } of held.values()) reject(new Error(reason))
      }
      made.push({ end, held })
      const thread = {
        held,
        run: async () => {},
        end,
        close: async () => {},
      }
      return thread as Thread
    },
    onEnded: (reason) => ended.push(reason),
  })
  const work = (
    name: string,
    heapBytes: number,
    { signal = never, isTaken = true, bytes = 0, isOfWork = false } = {},
  ) =>
    pool.run<string>(
      {
        cost: { heapBytes, mainBytes: bytes },
        isOfWork,
        async start(thread, id) {
          const gate = Promise.withResolvers<void>()
          ;(thread as Thread & { held: Map<string, PromiseWithResolvers<void>> }).held.set(name, gate)
          if (isTaken) pool.taken(id)
          await gate.promise
          return () => name
        },
      },
      signal,
    )
  /** What each thread holds, in the order in which threads were made. */
  const places = () => made.map(({ held }) => [...held.keys()])
  const finish = (name: string) => {
    for (const { held } of made) {
      held.get(name)?.resolve()
      held.delete(name)
    }
  }
  return { pool, clock, made, ended, work, places, finish }
}

describe('threadPool', () => {
  it('starts a thread for each work while it may, and then fills them by their heap, in order of arrival', async () => {
    const { work, places, finish } = stage()
    const all = [work('a', 60), work('b', 60), work('c', 30), work('d', 60), work('e', 10)]
    // `d` fits nowhere; `e` would, and waits behind it all the same.
    expect(places()).toEqual([['a', 'c'], ['b']])
    finish('b')
    await all[1]
    expect(places()).toEqual([
      ['a', 'c'],
      ['d', 'e'],
    ])
    for (const name of ['a', 'c', 'd', 'e']) finish(name)
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('puts 64 works into one thread, however small they are, and the parts that those wait for beside them', () => {
    const { work, places } = stage({ threads: 1 })
    for (let count = 1; count <= 65; count += 1) void work(`work ${count}`, 1)
    void work('part of a work', 50, { isOfWork: true })
    expect(places()[0]?.slice(-2)).toEqual(['work 64', 'part of a work'])
  })

  it('refuses what fits no thread', async () => {
    await expect(stage().work('a', 101)).rejects.toMatchObject({ code: 'body-too-large' })
  })

  it('lets nothing in that the event loop has no room for, but the first', async () => {
    const { work, places } = stage({ mainBytes: 10 })
    void work('a', 1, { bytes: 50 })
    void work('b', 1, { bytes: 1 })
    expect(places()).toEqual([['a']])
  })

  it('ends the work that ended its thread alone, and starts what was beside it once more, each by itself', async () => {
    const { work, places, made, ended } = stage({ threads: 1 })
    const [one, two] = [work('a', 10), work('b', 10)]
    const untaken = work('c', 10, { isTaken: false })
    made[0]?.end('memory')
    expect(ended).toEqual(['memory'])
    // Two had begun: either may have done it, so each runs alone now; what had not begun is beyond suspicion.
    expect(places().slice(1)).toEqual([['a']])
    made[1]?.end('memory')
    await expect(one).rejects.toMatchObject({ code: 'overloaded', extras: { retryAfterMs: 5_000 } })
    expect(places().slice(2)).toEqual([['b']])
    made[2]?.end('exit')
    await expect(two).rejects.toMatchObject({ code: 'internal' })
    expect(places().slice(3)).toEqual([['c']])
    void untaken
  })

  it('ends a thread whose work goes on a second after its abort', async () => {
    const { work, clock, ended, made } = stage({ threads: 1 })
    const gone = new AbortController()
    const stuck = work('a', 10, { signal: gone.signal })
    void stuck.catch(() => {})
    gone.abort(new Error('left'))
    await clock.advance(999)
    expect(ended).toEqual([])
    await clock.advance(1)
    expect(ended).toEqual(['deadline'])
    expect(made).toHaveLength(1)
  })

  it('drops waiting work whose caller left, at once', async () => {
    const { work, places } = stage({ threads: 1, threadHeapBytes: 10 })
    void work('a', 10)
    const gone = new AbortController()
    const waiting = work('b', 10, { signal: gone.signal })
    gone.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    expect(places()).toEqual([['a']])
  })

  it('is starved where work waits and no thread has taken any for five seconds', async () => {
    const { pool, work, clock } = stage({ threads: 1, threadHeapBytes: 10 })
    void work('a', 10)
    expect(pool.isStarved()).toBe(false)
    void work('b', 10)
    await clock.advance(4_999)
    expect(pool.isStarved()).toBe(false)
    await clock.advance(1)
    expect(pool.isStarved()).toBe(true)
  })
})
