import { describe, expect, it } from 'vitest'
import { DeadlineError } from '../../../src/models/failures/deadline.ts'
import type { Completion, Model } from '../../../src/models/model.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { withSingleFlight } from '../../../src/models/wrappers/single-flight.ts'
import { type Asked, completionOf, fakeModel, never, requestOf, row, says } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

function shared(more: { lastResort?: Model; cache?: Completion['cache'] } = {}) {
  const clock = virtualClock()
  const ends: PromiseWithResolvers<Completion>[] = []
  const counts: string[] = []
  const model = fakeModel('a', [
    (_request, signal) => {
      const end = Promise.withResolvers<Completion>()
      signal.addEventListener('abort', () => end.reject(signal.reason), { once: true })
      ends.push(end)
      return end.promise
    },
  ])
  const observer = { ...silentObserver, cache: (result: string) => void counts.push(result) }
  const { lastResort } = more
  const chain = withSingleFlight(model, {
    requestMs: 170_000,
    clock,
    observer,
    ...(lastResort === undefined ? {} : { lastResort }),
  })
  const ask = (request: Asked = {}, signal = never()) =>
    chain.complete(requestOf({ deadlineAt: clock.now() + 170_000, ...request }), signal)
  const answer = (text: string, cache: Completion['cache'] = 'miss') =>
    ends[0]?.resolve(completionOf('a', text, { cache }))
  return { ask, answer, model, clock, counts, ends }
}

describe('withSingleFlight', () => {
  it('lets identical requests share one call, and says who joined', async () => {
    const { ask, answer, model, counts } = shared()
    const asked = [ask(), ask(), ask()]
    answer('Once.')
    const answers = await Promise.all(asked)
    expect(answers.map(({ text, cache }) => [text, cache])).toEqual([
      ['Once.', 'miss'],
      ['Once.', 'coalesced'],
      ['Once.', 'coalesced'],
    ])
    expect(answers.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1])
    expect(counts).toEqual(['coalesced', 'coalesced'])
    expect(model.requests).toHaveLength(1)
  })

  it('starts a new call once the first is over', async () => {
    const { ask, answer, model } = shared()
    const first = ask()
    answer('Once.')
    await first
    void ask()
    expect(model.requests).toHaveLength(2)
  })

  it('takes nothing for identical that differs in a word, a limit or where the words stand', () => {
    const { ask, model } = shared()
    const questions = [
      { system: 'ab', prompt: 'cd' },
      { system: 'ab', prompt: 'ce' },
      { system: 'ac', prompt: 'cd' },
      { system: 'a', prompt: 'bcd' },
      { system: 'ab', prompt: 'cd', maxTokens: 7 },
      { system: 'ab', prompt: 'cd', expects: 'headings' as const },
      { system: 'ab', prompt: 'cd', fold: false },
    ]
    for (const question of questions) void ask(question)
    for (const question of questions) void ask(question)
    expect(model.requests).toHaveLength(questions.length)
  })

  it('gives who asks past the cache a call of its own', () => {
    const { ask, model } = shared()
    void ask()
    void ask({ noCache: true })
    void ask({ noCache: true })
    expect(model.requests).toHaveLength(2)
  })

  it('aborts the call only when the last waiter is gone, and lets nobody join it then', async () => {
    const { ask, model } = shared()
    const leaving = [new AbortController(), new AbortController()]
    const asked = leaving.map(({ signal }) => ask({}, signal).catch((error: unknown) => error))
    leaving[0]?.abort('first left')
    expect(await asked[0]).toBe('first left')
    expect(model.signals[0]?.aborted).toBe(false)
    leaving[1]?.abort('second left')
    expect(await asked[1]).toBe('second left')
    expect(model.signals[0]?.aborted).toBe(true)
    void ask()
    expect(model.requests).toHaveLength(2)
  })

  it('ends a short waiter by itself and keeps the call for the others', async () => {
    const { ask, answer, model, clock } = shared()
    const hasty = ask({ deadlineAt: clock.now() + 1_500 }).catch((error: unknown) => error)
    const patient = ask()
    expect(model.requests[0]?.deadlineAt).toBe(clock.now() + 170_000)
    await clock.advance(1_500)
    expect(await hasty).toBeInstanceOf(DeadlineError)
    answer('Late.')
    expect((await patient).text).toBe('Late.')
    expect(model.requests).toHaveLength(1)
  })

  it('says how long the most patient of the present waiters waits', async () => {
    const { ask, model, clock } = shared()
    const startedAt = clock.now()
    const left = () => (model.requests[0]?.listener?.waitsUntil?.() ?? 0) - startedAt
    const leaving = new AbortController()
    void ask({ deadlineAt: startedAt + 3_000 }).catch(() => {})
    expect(left()).toBe(3_000)
    const patient = ask({ deadlineAt: startedAt + 9_000 }, leaving.signal).catch(() => {})
    expect(left()).toBe(9_000)
    leaving.abort()
    await patient
    expect(left()).toBe(3_000)
    expect(model.requests[0]?.deadlineAt).toBe(startedAt + 170_000)
  })

  it('gives a short waiter the embedded answer in its last second while others wait on', async () => {
    const lastResort = fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.', { degraded: true })])
    const { ask, answer, model, clock } = shared({ lastResort })
    const hasty = ask({ deadlineAt: clock.now() + 3_000 })
    const patient = ask()
    model.requests[0]?.listener?.attempt?.(row('a', 'server_error'))
    await clock.advance(2_000)
    const completion = await hasty
    expect(completion).toMatchObject({ text: 'Weak.', degraded: true })
    expect(completion.attempts.map(({ outcome }) => outcome)).toEqual(['server_error', 'ok'])
    answer('Late.')
    expect((await patient).text).toBe('Late.')
  })

  it('calls the embedded answer of a waiter its own, not coalesced', async () => {
    const lastResort = fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.', { degraded: true })])
    const { ask, answer, clock } = shared({ lastResort })
    const patient = ask()
    const hasty = ask({ deadlineAt: clock.now() + 3_000 })
    await clock.advance(2_000)
    expect(await hasty).toMatchObject({ text: 'Weak.', cache: 'miss' })
    answer('Late.')
    await patient
  })

  it('leaves the last second to the chain when nobody waits longer', async () => {
    const lastResort = fakeModel('recapd/extractive', [says('recapd/extractive', 'Weak.')])
    const { ask, answer, clock } = shared({ lastResort })
    const alone = ask({ deadlineAt: clock.now() + 3_000 })
    await clock.advance(2_500)
    answer('Just in time.')
    expect((await alone).text).toBe('Just in time.')
    expect(lastResort.requests).toHaveLength(0)
  })

  it('ends the call itself at its own deadline', async () => {
    const { ask, clock, model } = shared()
    const asked = ask({ deadlineAt: clock.now() + 400_000 }).catch((error: unknown) => error)
    await clock.advance(400_000)
    expect(await asked).toBeInstanceOf(DeadlineError)
    expect(model.signals[0]?.aborted).toBe(true)
  })

  it('tells a late listener what was said before', async () => {
    const { ask, answer, model } = shared()
    const heard: string[] = []
    const listener = (who: string) => ({
      attempt: () => void heard.push(`${who} attempt`),
      delta: (text: string) => void heard.push(`${who} ${text}`),
      reset: () => void heard.push(`${who} reset`),
    })
    const first = ask({ listener: listener('first') })
    const hub = model.requests[0]?.listener
    hub?.delta?.('lost')
    hub?.reset?.()
    hub?.attempt?.(row('a', 'network'))
    hub?.delta?.('He')
    hub?.delta?.('llo')
    const second = ask({ listener: listener('second') })
    hub?.delta?.(' there')
    answer('Hello there')
    await Promise.all([first, second])
    expect(heard.filter((line) => line.startsWith('second'))).toEqual([
      'second attempt',
      'second Hello',
      'second  there',
    ])
    expect(heard).toContain('first reset')
  })

  it('does not stream for callers that do not listen', () => {
    const { ask, model } = shared()
    void ask()
    expect(model.requests[0]?.listener?.delta).toBeUndefined()
  })

  it('gives a failure to all waiters', async () => {
    const { ask, ends } = shared()
    const asked = [ask(), ask()].map((one) => one.catch((error: unknown) => error))
    const down = new Error('down')
    ends[0]?.reject(down)
    expect(await Promise.all(asked)).toEqual([down, down])
  })

  it('marks whoever joined a stored answer as a hit', async () => {
    const { ask, answer, counts } = shared()
    const asked = [ask(), ask()]
    answer('Stored.', 'hit')
    expect((await Promise.all(asked)).map(({ cache }) => cache)).toEqual(['hit', 'hit'])
    expect(counts).toEqual(['hit'])
  })
})
