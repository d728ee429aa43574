import { describe, expect, it } from 'vitest'
import { DeadlineError } from '../../../src/models/failures/deadline.ts'
import type { CompletionListener, Model } from '../../../src/models/model.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { withFallback } from '../../../src/models/wrappers/fallback.ts'
import { completionOf, fails, fakeModel, hangs, never, requestOf, row, says } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

function chainOf(candidates: readonly Model[], clock = virtualClock()) {
  const falls: string[] = []
  const observer = { ...silentObserver, fallback: (from: string, to: string) => void falls.push(`${from}>${to}`) }
  return { chain: withFallback(candidates, { id: 'chain', clock, observer }), clock, falls }
}
const outcomes = (rows: readonly { model: string; outcome: string }[] | undefined) =>
  (rows ?? []).map(({ model, outcome }) => `${model} ${outcome}`)
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('fallback', () => {
  it('asks the candidates in order and adds up their rows', async () => {
    const c = fakeModel('c', [says('c', 'never')])
    const { chain, falls } = chainOf([fakeModel('a', [fails('a', 'timeout')]), fakeModel('b', [says('b', 'B.')]), c])
    const completion = await chain.complete(requestOf(), never())
    expect(completion.text).toBe('B.')
    expect(outcomes(completion.attempts)).toEqual(['a timeout', 'b ok'])
    expect(falls).toEqual(['a>b'])
    expect(c.requests).toHaveLength(0)
  })

  it('counts what the candidates before it were paid in vain', async () => {
    const usage = { inputTokens: 100, outputTokens: 7, costUsd: 2 }
    const { chain } = chainOf([
      fakeModel('a', [fails('a', 'not_a_summary', { usage })]),
      fakeModel('b', [fails('b', 'timeout')]),
      fakeModel('c', [says('c', 'C.')]),
    ])
    const completion = await chain.complete(requestOf(), never())
    expect(completion.usage).toEqual({ inputTokens: 110, outputTokens: 9, costUsd: 2.5 })
  })

  it('throws the last failure with all rows and the soonest time anybody named', async () => {
    const { chain } = chainOf([
      fakeModel('a', [fails('a', 'rate_limited', { retryAfterMs: 9_000 })]),
      fakeModel('b', [fails('b', 'key_resting', { retryAfterMs: 40_000 })]),
    ])
    const error = await failureOf(chain.complete(requestOf(), never()))
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ model: 'b', outcome: 'key_resting', facts: { retryAfterMs: 9_000 } })
    expect(outcomes((error as ModelError).facts.attempts)).toEqual(['a rate_limited', 'b key_resting'])
  })

  it('goes to a larger window after an overflow and passes over the others with a row', async () => {
    const small = fakeModel('small', [says('small', 'no')], { contextWindow: 50_000 })
    const { chain } = chainOf([
      fakeModel('a', [fails('a', 'overflow')], { contextWindow: 100_000 }),
      small,
      fakeModel('big', [says('big', 'Fits.')], { contextWindow: 200_000 }),
    ])
    const completion = await chain.complete(requestOf(), never())
    expect(outcomes(completion.attempts)).toEqual(['a overflow', 'small overflow', 'big ok'])
    expect(small.requests).toHaveLength(0)
  })

  it('goes to another of the same window where the one that was too small had only been learned', async () => {
    const a = fakeModel('a', [fails('a', 'overflow', { windowTokens: 1_024 })])
    const { chain } = chainOf([a, fakeModel('b', [says('b', 'Fits.')])])
    const completion = await chain.complete(requestOf(), never())
    expect(completion.text).toBe('Fits.')
    expect(outcomes(completion.attempts)).toEqual(['a overflow', 'b ok'])
  })

  it('asks whole while a larger window is left, and folds only then', async () => {
    const a = fakeModel('a', [fails('a', 'overflow', { attempts: [] }), says('a', 'Folded.')], { contextWindow: 8_000 })
    const big = fakeModel('big', [fails('big', 'server_error')], { contextWindow: 100_000 })
    const { chain } = chainOf([a, big])
    const completion = await chain.complete(requestOf(), never())
    expect(completion.text).toBe('Folded.')
    expect(a.requests.map(({ fold }) => fold)).toEqual([false, undefined])
    expect(big.requests.map(({ fold }) => fold)).toEqual([undefined])
    // a was not skipped after all: it has no row but that of its answer.
    expect(outcomes(completion.attempts)).toEqual(['big server_error', 'a ok'])
  })

  it('folds on its candidate before it takes the embedded model', async () => {
    const a = fakeModel('a', [says('a', 'Folded.')], { contextWindow: 8_000 })
    const { chain } = chainOf([a, fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')])])
    expect((await chain.complete(requestOf(), never())).text).toBe('Folded.')
    expect(a.requests[0]?.fold).toBeUndefined()
  })

  it('fails with overflow alone when nobody has a larger window and nothing can be folded', async () => {
    const b = fakeModel('b', [says('b', 'no')])
    const { chain } = chainOf([fakeModel('a', [fails('a', 'overflow')]), b])
    const error = await failureOf(chain.complete(requestOf(), never()))
    expect(outcomes((error as ModelError).facts.attempts)).toEqual(['a overflow', 'b overflow'])
    expect(b.requests).toHaveLength(0)
  })

  it('never folds what must not be folded', async () => {
    const a = fakeModel('a', [fails('a', 'overflow')])
    const { chain } = chainOf([a, fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')])])
    const completion = await chain.complete(requestOf({ fold: false }), never())
    expect(a.requests.map(({ fold }) => fold)).toEqual([false])
    expect(completion.text).toBe('Weak.')
  })

  it('starts nobody with less than a second left', async () => {
    const clock = virtualClock()
    const a = fakeModel('a', [
      async (request) => {
        await clock.advance(request.deadlineAt - clock.now() - 900)
        throw new ModelError('a', 'server_error', { attempts: [row('a', 'server_error')] })
      },
    ])
    const b = fakeModel('b', [says('b', 'late')])
    const { chain } = chainOf([a, b], clock)
    const error = await failureOf(chain.complete(requestOf(), never()))
    expect(error).toBeInstanceOf(DeadlineError)
    expect(outcomes((error as ModelError).facts.attempts)).toEqual(['a server_error'])
    expect(b.requests).toHaveLength(0)
  })

  it('keeps the last second for the embedded model, even from a candidate that ignores its deadline', async () => {
    const a = fakeModel('a', [hangs])
    const weak = fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')])
    const { chain, clock } = chainOf([a, weak])
    const request = requestOf({ deadlineAt: clock.now() + 10_000 })
    const completion = await clock.settle(chain.complete(request, never()))
    expect(a.requests[0]?.deadlineAt).toBe(request.deadlineAt - 1_000)
    expect(clock.now()).toBeLessThan(request.deadlineAt - 500)
    expect(outcomes(completion.attempts)).toEqual(['a timeout', 'recapd/extractive ok'])
  })

  it('keeps the last second of the most patient caller, and minds who joins meanwhile', async () => {
    const { chain, clock } = chainOf([
      fakeModel('a', [hangs]),
      fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')]),
    ])
    const startedAt = clock.now()
    let waitsUntil = startedAt + 3_000
    const pending = chain.complete(
      requestOf({ deadlineAt: startedAt + 170_000, listener: { waitsUntil: () => waitsUntil } }),
      never(),
    )
    await clock.advance(1_000)
    waitsUntil = startedAt + 8_000
    const completion = await clock.settle(pending)
    expect(completion.attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'ok'])
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(7_000)
    expect(clock.now() - startedAt).toBeLessThan(7_500)
  })

  it('tells a candidate of the second that is kept, so that it begins nothing in it', async () => {
    const clock = virtualClock()
    const a = fakeModel('a', [says('a', 'A.')])
    const weak = fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')])
    const { chain } = chainOf([a, weak], clock)
    const until = clock.now() + 5_000
    await chain.complete(requestOf({ deadlineAt: until + 9_000, listener: { waitsUntil: () => until } }), never())
    expect(a.requests[0]?.deadlineAt).toBe(until + 8_000)
    expect(a.requests[0]?.listener?.waitsUntil?.()).toBe(until - 1_000)
  })

  it('goes straight to the embedded model when only the last second is left', async () => {
    const a = fakeModel('a', [hangs])
    const { chain, clock } = chainOf([a, fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')])])
    const completion = await chain.complete(requestOf({ deadlineAt: clock.now() + 800 }), never())
    expect(completion.attempts[0]).toEqual({ model: 'a', outcome: 'timeout', durationMs: 0 })
    expect(a.requests).toHaveLength(0)
  })

  it('starts nobody whom the callers of a shared call would not wait for', async () => {
    const clock = virtualClock()
    let waitsUntil = clock.now() + 1_500
    const a = () =>
      fakeModel('a', [
        async (request, signal) => {
          await clock.advance(600)
          return fails('a', 'server_error')(request, signal)
        },
      ])
    const b = fakeModel('b', [says('b', 'B.')])
    const request = requestOf({ listener: { waitsUntil: () => waitsUntil } })
    expect(await failureOf(chainOf([a(), b], clock).chain.complete(request, never()))).toBeInstanceOf(DeadlineError)
    expect(b.requests).toHaveLength(0)
    waitsUntil = clock.now() + 5_000
    expect((await chainOf([a(), b], clock).chain.complete(request, never())).text).toBe('B.')
  })

  it('stops everything when the caller leaves', async () => {
    const b = fakeModel('b', [says('b', 'no')])
    const controller = new AbortController()
    const { chain } = chainOf([fakeModel('a', [hangs]), b])
    const pending = failureOf(chain.complete(requestOf(), controller.signal))
    const gone = new Error('gone')
    controller.abort(gone)
    expect(await pending).toBe(gone)
    expect(b.requests).toHaveLength(0)
  })

  it('takes back the deltas of a failed candidate, and only those', async () => {
    const heard: string[] = []
    const listener: CompletionListener = {
      delta: (text) => void heard.push(text),
      reset: () => void heard.push('reset'),
    }
    const a = fakeModel('a', [
      async (request) => {
        request.listener?.delta?.('Half')
        throw new ModelError('a', 'network')
      },
    ])
    const b = fakeModel('b', [fails('b', 'auth')])
    const c = fakeModel('c', [
      async (request) => {
        request.listener?.delta?.('Whole')
        return completionOf('c', 'Whole')
      },
    ])
    await chainOf([a, b, c]).chain.complete(requestOf({ listener }), never())
    expect(heard).toEqual(['Half', 'reset', 'Whole'])
  })
})
