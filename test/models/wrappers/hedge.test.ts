import { describe, expect, it } from 'vitest'
import type { CompletionListener } from '../../../src/models/model.ts'
import type { ModelError } from '../../../src/models/model-error.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { withFallback } from '../../../src/models/wrappers/fallback.ts'
import { createHedge } from '../../../src/models/wrappers/hedge.ts'
import {
  completionOf,
  type FakeModel,
  fails,
  fakeModel,
  hangs,
  never,
  requestOf,
  says,
} from '../../support/fake-model.ts'
import { type VirtualClock, virtualClock } from '../../support/virtual-clock.ts'

const outcomes = (rows: readonly { model: string; outcome: string }[] = []) =>
  rows.map(({ model, outcome }) => `${model} ${outcome}`)

function raced(make: (clock: VirtualClock) => readonly FakeModel[]) {
  const clock = virtualClock()
  const candidates = make(clock)
  const chain = withFallback(candidates, {
    id: 'chain',
    clock,
    observer: silentObserver,
    hedge: createHedge({ afterMs: 15_000, clock }),
  })
  const ask = (listener?: CompletionListener, signal = never()) =>
    clock.settle(
      chain.complete(requestOf({ deadlineAt: clock.now() + 170_000, ...(listener ? { listener } : {}) }), signal),
    )
  return { ask, clock, candidates }
}
/** Answers after so long; speaks a token before that when told to. */
const slow = (clock: VirtualClock, id: string, ms: number, firstTokenMs = ms) =>
  fakeModel(id, [
    async (request, signal) => {
      await clock.sleep(firstTokenMs, signal)
      request.listener?.delta?.(`${id} speaks`)
      await clock.sleep(ms - firstTokenMs, signal)
      return completionOf(id, `From ${id}.`)
    },
  ])

describe('hedge', () => {
  it('asks nobody else while the first candidate answers in time', async () => {
    const { ask, candidates } = raced((clock) => [slow(clock, 'a', 10_000), slow(clock, 'b', 1)])
    expect((await ask()).text).toBe('From a.')
    expect(candidates[1]?.requests).toHaveLength(0)
  })

  it('starts the next beside a silent one; the first good answer wins and the other is aborted', async () => {
    const { ask, candidates, clock } = raced((clock) => [slow(clock, 'a', 60_000), slow(clock, 'b', 5_000)])
    const startedAt = clock.now()
    const completion = await ask()
    expect(completion.text).toBe('From b.')
    expect(clock.now() - startedAt).toBe(20_000)
    expect(candidates[0]?.signals[0]?.aborted).toBe(true)
    expect(outcomes(completion.attempts)).toEqual(['a aborted', 'b ok'])
  })

  it('aborts the second when the first comes in after all', async () => {
    const { ask, candidates } = raced((clock) => [slow(clock, 'a', 16_000), slow(clock, 'b', 50_000)])
    expect((await ask()).text).toBe('From a.')
    expect(candidates[1]?.signals[0]?.aborted).toBe(true)
  })

  it('leaves a candidate alone that has begun to speak', async () => {
    const { ask, candidates } = raced((clock) => [slow(clock, 'a', 60_000, 1_000), slow(clock, 'b', 1)])
    expect((await ask()).text).toBe('From a.')
    expect(candidates[1]?.requests).toHaveLength(0)
  })

  it('waits for the second when the first fails meanwhile, and asks neither twice', async () => {
    const late = (clock: VirtualClock, id: string, ms: number) =>
      fakeModel(id, [
        async (request, signal) => {
          await clock.sleep(ms, signal)
          return fails(id, 'server_error')(request, signal)
        },
      ])
    const one = raced((clock) => [late(clock, 'a', 16_000), slow(clock, 'b', 5_000)])
    expect(outcomes((await one.ask()).attempts)).toEqual(['a server_error', 'b ok'])
    const two = raced((clock) => [
      late(clock, 'a', 16_000),
      late(clock, 'b', 5_000),
      fakeModel('c', [says('c', 'From c.')]),
    ])
    expect(outcomes((await two.ask()).attempts)).toEqual(['a server_error', 'b server_error', 'c ok'])
  })

  it('hedges at most one in twenty requests', async () => {
    const { ask, candidates } = raced((clock) => [slow(clock, 'a', 20_000), slow(clock, 'b', 1)])
    for (let i = 0; i < 40; i += 1) await ask()
    expect(candidates[1]?.requests).toHaveLength(2)
  })

  it('never lets two candidates talk into one stream', async () => {
    const heard: string[] = []
    const listener = { delta: (text: string) => void heard.push(text), reset: () => void heard.push('reset') }
    const { ask } = raced((clock) => [slow(clock, 'a', 60_000, 16_000), slow(clock, 'b', 5_000, 2_000)])
    expect((await ask(listener)).text).toBe('From b.')
    expect(heard).toEqual(['a speaks', 'reset'])
  })

  it('does not hedge with the embedded model', async () => {
    const { ask, candidates } = raced((clock) => [
      slow(clock, 'a', 60_000),
      fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')]),
    ])
    expect((await ask()).text).toBe('From a.')
    expect(candidates[1]?.requests).toHaveLength(0)
  })

  it('stops both when the caller leaves', async () => {
    const controller = new AbortController()
    const clock = virtualClock()
    const candidates = [fakeModel('a', [hangs]), fakeModel('b', [hangs])]
    const chain = withFallback(candidates, {
      id: 'chain',
      clock,
      observer: silentObserver,
      hedge: createHedge({ afterMs: 100, clock }),
    })
    const pending = chain.complete(requestOf(), controller.signal).catch((error: ModelError) => error)
    await clock.advance(200)
    controller.abort('gone')
    expect(await pending).toBe('gone')
    expect(candidates.map(({ signals }) => signals[0]?.aborted)).toEqual([true, true])
  })
})
