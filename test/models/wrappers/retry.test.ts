import { describe, expect, it } from 'vitest'
import type { Completion, Model } from '../../../src/models/model.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { withRetry } from '../../../src/models/wrappers/retry.ts'
import { createRetryBudget } from '../../../src/models/wrappers/retry-budget.ts'
import { completionOf, fails, fakeModel, never, requestOf, says } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

type Replies = Parameters<typeof fakeModel>[1]
const ID = 'alpha/small'
const fine = says(ID, 'Fine.')
const cut = (text: string): Partial<Completion> => ({ truncated: true, text })
const truncated = (text?: string) =>
  fails(ID, 'truncated', text === undefined ? {} : { partial: completionOf(ID, text, { ...cut(text), attempts: [] }) })

function stage(replies: Replies, options: { maxAttempts?: number; facts?: Partial<Model>; random?: number } = {}) {
  const base = virtualClock()
  const sleeps: number[] = []
  const clock = {
    ...base,
    random: () => options.random ?? 0.5,
    sleep: (ms: number, signal: AbortSignal) => {
      sleeps.push(ms)
      return base.sleep(ms, signal)
    },
  }
  const inner = fakeModel(ID, replies, options.facts)
  const retried: string[] = []
  const budget = createRetryBudget({ ratio: 0.2, clock })
  const model = withRetry(inner, {
    maxAttempts: options.maxAttempts ?? 3,
    baseDelayMs: 1000,
    maxDelayMs: 30_000,
    budget,
    clock,
    observer: { ...silentObserver, retry: (_model, reason) => retried.push(reason) },
    texts: { brevity: 'Be brief.', reminder: 'Use the headings.' },
  })
  const ask = (more = {}, signal = never()) =>
    base.settle(model.complete(requestOf({ deadlineAt: base.now() + 100_000, ...more }), signal))
  const failure = async (more = {}) => {
    const error: unknown = await ask(more).catch((reason: unknown) => reason)
    if (!(error instanceof ModelError)) throw new Error('no failure', { cause: error })
    return error
  }
  return { ask, failure, inner, sleeps, retried, budget, clock: base }
}

const outcomes = (rows: readonly { outcome: string }[] = []) => rows.map(({ outcome }) => outcome)

describe('withRetry on a refused prompt', () => {
  const prompt = (thought: string) =>
    `<conversation>\n[User]: go\n\n${thought}[Assistant]: gone\n</conversation>\n\nSum up.`

  it('asks once more without the thoughts in it, at once', async () => {
    const { ask, inner, sleeps } = stage([fails(ID, 'refused'), fine])
    const answer = await ask({ prompt: prompt('[Assistant thinking]: hm\n\n') })
    expect(outcomes(answer.attempts)).toEqual(['refused', 'ok'])
    expect(inner.requests[1]?.prompt.text).toBe(prompt(''))
    expect(sleeps).toEqual([])
  })

  it('once, and not where there are none', async () => {
    const twice = stage([fails(ID, 'refused')])
    expect((await twice.failure({ prompt: prompt('[Assistant thinking]: hm\n\n') })).outcome).toBe('refused')
    expect(twice.inner.requests).toHaveLength(2)
    const none = stage([fails(ID, 'refused')])
    expect((await none.failure({ prompt: prompt('') })).outcome).toBe('refused')
    expect(none.inner.requests).toHaveLength(1)
  })
})

describe('withRetry on passing failures', () => {
  it.each(['timeout', 'network', 'server_error', 'bad_response', 'rate_limited'] as const)(
    'asks again after %s',
    async (outcome) => {
      const { ask, retried } = stage([fails(ID, outcome), fine])
      const answer = await ask()
      expect(outcomes(answer.attempts)).toEqual([outcome, 'ok'])
      expect(retried).toEqual([outcome])
    },
  )

  it('waits with full jitter on a doubling ceiling, and stops after maxAttempts with every row', async () => {
    const { failure, sleeps } = stage([fails(ID, 'server_error')], { maxAttempts: 4 })
    expect(outcomes((await failure()).facts.attempts)).toEqual(Array(4).fill('server_error'))
    expect(sleeps).toEqual([500, 1000, 2000])
  })

  it('never waits over maxDelayMs', async () => {
    const { failure, sleeps } = stage([fails(ID, 'server_error')], { maxAttempts: 8, random: 0.999 })
    await failure({ deadlineAt: Number.MAX_SAFE_INTEGER })
    expect(Math.max(...sleeps)).toBeLessThanOrEqual(30_000)
  })

  it('never waits less than the hint, nor does a small hint undo the backoff (B178)', async () => {
    const hinted = stage([fails(ID, 'rate_limited', { retryAfterMs: 7000 }), fine])
    await hinted.ask()
    expect(hinted.sleeps).toEqual([7000])
    const small = stage([fails(ID, 'rate_limited', { retryAfterMs: 1 })], { maxAttempts: 4 })
    await small.failure()
    expect(small.sleeps).toEqual([500, 1000, 2000])
  })

  it.each([
    ['over maxDelayMs', 30_001, 100_000],
    ['past the deadline', 20_000, 15_000],
  ])('does not wait for a hint %s', async (_name, retryAfterMs, leftMs) => {
    const { failure, inner, sleeps, clock } = stage([fails(ID, 'rate_limited', { retryAfterMs }), fine])
    expect((await failure({ deadlineAt: clock.now() + leftMs })).facts.retryAfterMs).toBe(retryAfterMs)
    expect([inner.requests.length, sleeps.length]).toEqual([1, 0])
  })

  it.each([
    ['no second is left after the failure', 900],
    ['the wait would leave less than a second', 1400],
  ])('starts no try when %s', async (_name, leftMs) => {
    const { failure, inner, sleeps, clock } = stage([fails(ID, 'server_error'), fine])
    await failure({ deadlineAt: clock.now() + leftMs })
    expect([inner.requests.length, sleeps.length]).toEqual([1, 0])
  })

  it('stops when the budget of the provider is spent', async () => {
    const { failure, inner, budget } = stage([fails(ID, 'server_error')])
    while (budget.withdraw());
    await failure()
    expect(inner.requests.length).toBe(1)
  })

  it('stops at once, in the middle of a wait too, when the caller leaves', async () => {
    const { ask, inner } = stage([fails(ID, 'server_error')])
    const controller = new AbortController()
    const reason = new Error('gone')
    const call = ask({}, controller.signal)
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(inner.requests.length).toBe(1)
  })
})

describe('withRetry on what a repetition does not cure', () => {
  it.each([
    'refused',
    'bad_request',
    'not_found',
    'overflow',
    'auth',
    'quota',
    'queue_full',
    'queue_timeout',
    'breaker_open',
    'key_resting',
    'references_failed',
  ] as const)('%s is not repeated', async (outcome) => {
    const { failure, inner } = stage([fails(ID, outcome), fine])
    await failure()
    expect(inner.requests.length).toBe(1)
  })

  it.each(['auth', 'quota', 'rate_limited'] as const)(
    '%s goes on at once with every other key, beyond maxAttempts',
    async (outcome) => {
      const next = fails(ID, outcome, { anotherKey: true, retryAfterMs: 90_000 })
      const { ask, sleeps } = stage([next, next, next, next, fine], { maxAttempts: 1 })
      expect(outcomes((await ask()).attempts)).toEqual([...Array(4).fill(outcome), 'ok'])
      expect(sleeps).toEqual([])
    },
  )

  it('ends when the last key has failed', async () => {
    const { failure, inner } = stage([
      fails(ID, 'auth', { anotherKey: true }),
      fails(ID, 'auth', { anotherKey: false }),
    ])
    expect(outcomes((await failure()).facts.attempts)).toEqual(['auth', 'auth'])
    expect(inner.requests.length).toBe(2)
  })
})

describe('withRetry on says that are none', () => {
  it('asks once more at once after a blank one, not twice', async () => {
    const { failure, inner, sleeps } = stage([fails(ID, 'empty')])
    await failure()
    expect([inner.requests.length, sleeps.length]).toEqual([2, 0])
    expect(inner.requests[1]?.prompt.text).toBe(inner.requests[0]?.prompt.text)
  })

  it('reminds once of the form after one that is no summary', async () => {
    const { failure, inner } = stage([fails(ID, 'not_a_summary')])
    await failure()
    expect(inner.requests.map((request) => request.prompt.text)).toEqual([
      'Tell what happened.',
      'Tell what happened.\n\nUse the headings.',
    ])
  })

  it.each([
    ['twice the cap', { maxTokens: 600 }, { maxOutputTokens: 4000 }, 1200],
    ['no more than the model’s maximum', { maxTokens: 3000 }, { maxOutputTokens: 4000 }, 4000],
    ['twice the default cap', {}, { contextWindow: 200_000 }, 32_768],
  ])('asks for brevity with %s after a cut one', async (_name, more, facts, cap) => {
    const { ask, inner } = stage([truncated('It began'), fine], { facts })
    expect((await ask(more)).text).toBe('Fine.')
    expect(inner.requests[1]).toMatchObject({
      maxTokens: cap,
      prompt: { text: 'Tell what happened.\n\nBe brief.' },
    })
  })

  it('takes the second cut answer when it has text, with a warning', async () => {
    const cut = (text: string) =>
      fails(ID, 'truncated', { leftover: { completion: completionOf(ID, text), score: 0, why: 'cut', isUsable: true } })
    const { ask } = stage([cut('It began'), cut('It began and')])
    const answer = await ask({ takesCut: true })
    expect(answer).toMatchObject({ text: 'It began and', truncated: true })
    expect(answer.warnings).toHaveLength(1)
    expect(outcomes(answer.attempts)).toEqual(['truncated', 'truncated'])
    // The chain asks its other candidates first, and has the better of the two answers to fall back on.
    const { failure } = stage([cut('It began'), cut('It began and')])
    expect((await failure()).facts.leftover?.completion.text).toBe('It began and')
  })

  it('fails when the second cut answer has no text', async () => {
    const { failure, inner } = stage([truncated()])
    expect((await failure()).outcome).toBe('truncated')
    expect(inner.requests.length).toBe(2)
  })

  it('counts what the cut answer cost', async () => {
    const { ask } = stage([truncated('It began'), fine])
    expect((await ask()).usage).toEqual({ inputTokens: 20, outputTokens: 4, costUsd: 1 })
  })

  it('spends each repetition once, whatever the order', async () => {
    const turns: Replies = [
      fails(ID, 'empty'),
      fails(ID, 'not_a_summary'),
      fails(ID, 'server_error'),
      fails(ID, 'empty'),
    ]
    const { failure } = stage(turns)
    expect(outcomes((await failure()).facts.attempts)).toEqual(['empty', 'not_a_summary', 'server_error', 'empty'])
  })
})

describe('withRetry and a listener', () => {
  it('takes back the deltas of a failed try, and only those', async () => {
    const heard: string[] = []
    const speaks =
      (text: string, reply: Replies[number]): Replies[number] =>
      (request, signal) => {
        if (text !== '') request.listener?.delta?.(text)
        return reply(request, signal)
      }
    const { ask } = stage([speaks('', fails(ID, 'empty')), speaks('Half', fails(ID, 'network')), speaks('Fine.', fine)])
    await ask({ listener: { delta: (text: string) => heard.push(text), reset: () => heard.push('reset') } })
    expect(heard).toEqual(['Half', 'reset', 'Fine.'])
  })
})

describe('withRetry on a shared call', () => {
  it('repeats nothing that its callers would not wait for', async () => {
    const { failure, inner, clock } = stage([fails(ID, 'server_error'), fine], { random: 1 })
    const until = clock.now() + 1_900
    // The call's own deadline is far, but after a second of backoff the last caller would have 0.9 s left.
    const error = await failure({ listener: { waitsUntil: () => until } })
    expect(error.outcome).toBe('server_error')
    expect(inner.requests).toHaveLength(1)
  })
})
