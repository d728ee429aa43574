import { afterEach, describe, expect, it } from 'vitest'
import { NO_LIMITS } from '../../src/models/callers/caller-limits.ts'
import { createCallerSlots } from '../../src/models/callers/caller-slots.ts'
import { systemClock as clock } from '../../src/models/clock.ts'
import { silentObserver as observer } from '../../src/models/observer.ts'
import { textPrompt } from '../../src/models/prompt.ts'
import { openaiModel } from '../../src/models/sources/openai.ts'
import { memoryStore } from '../../src/models/stores/memory.ts'
import { createTransport } from '../../src/models/transport/transport.ts'
import { createBreaker, withBreaker, withEarlyRefusal } from '../../src/models/wrappers/breaker.ts'
import { createConcurrencyLimit, withConcurrency } from '../../src/models/wrappers/concurrency.ts'
import { createKeyPool, withKeys } from '../../src/models/wrappers/keys.ts'
import { withObserver } from '../../src/models/wrappers/observe.ts'
import { withRetry } from '../../src/models/wrappers/retry.ts'
import { createRetryBudget } from '../../src/models/wrappers/retry-budget.ts'
import { withTimeout } from '../../src/models/wrappers/timeout.ts'
import { completion, fakeProvider, type RecordedRequest, type Script, status } from '../support/fake-provider.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** One candidate nested as in the service, over a real connection. */
async function stage(script: Script, keys: readonly string[] = ['key-1'], attemptMs = 5000) {
  const provider = await fakeProvider(script)
  const transport = createTransport({ baseUrl: provider.url, maxConcurrency: 2, connectMs: 1000 })
  closers.push(transport.close, provider.close)
  const id = 'alpha/small'
  const store = memoryStore({ clock, maxBytes: 0 })
  const source = openaiModel({ id, name: 'small', baseUrl: provider.url, transport, contextWindow: 8000, clock })
  const pool = createKeyPool({ provider: 'alpha', keys, store, clock, maxDelayMs: 500 })
  const timed = withTimeout(withKeys(source, { pool, clock }), { attemptMs, firstTokenMs: attemptMs, clock })
  const limit = createConcurrencyLimit({
    provider: 'alpha',
    maxConcurrency: 2,
    queue: { maxSize: 8, maxWaitMs: 5000 },
    observer,
    clock,
    limitsOf: () => NO_LIMITS,
    slots: createCallerSlots(() => NO_LIMITS),
  })
  const breaker = createBreaker({ model: id, failureThreshold: 9, cooldownMs: 1000, store, clock })
  const observed = withObserver(
    withEarlyRefusal(withConcurrency(withBreaker(timed, breaker), { limit, clock, observer }), breaker),
    {
      observer,
      clock,
    },
  )
  const budget = createRetryBudget({ ratio: 0.2, clock })
  const texts = { brevity: 'Be brief.', reminder: 'Use the headings.' }
  const limits = { maxAttempts: 3, baseDelayMs: 5, maxDelayMs: 500 }
  const model = withRetry(observed, { ...limits, budget, clock, observer, texts })
  const ask = (leftMs = 20_000) =>
    model.complete(
      { system: 'S.', prompt: textPrompt('P.'), deadlineAt: clock.now() + leftMs },
      new AbortController().signal,
    )
  return { provider, ask }
}

const keyOf = ({ headers }: RecordedRequest) => headers.authorization?.replace('Bearer ', '')
const rowsOf = (rows: readonly { outcome: string; status?: number | undefined }[]) =>
  rows.map(({ outcome, status: code }) => [outcome, code])

describe('one candidate, nested', () => {
  it('answers after passing failures, with a row and a status for each', async () => {
    const { ask } = await stage([status(500), { reset: true }, completion('Third time lucky.')])
    const answer = await ask()
    expect(answer.text).toBe('Third time lucky.')
    expect(rowsOf(answer.attempts)).toEqual([
      ['server_error', 500],
      ['network', undefined],
      ['ok', 200],
    ])
  })

  it('goes on with the other key at once, and leaves the refused one alone afterwards', async () => {
    const { ask, provider } = await stage(
      (request) => (keyOf(request) === 'old' ? status(401) : completion('Fine.')),
      ['old', 'new'],
    )
    for (let i = 0; i < 3; i += 1) expect((await ask()).text).toBe('Fine.')
    expect(provider.requests.map(keyOf)).toEqual(['old', 'new', 'new', 'new'])
  })

  it('rests every key behind long hints, then refuses without a request', async () => {
    const { ask, provider } = await stage([status(429, { 'retry-after': '120' })], ['a', 'b'])
    await expect(ask()).rejects.toMatchObject({ outcome: 'rate_limited' })
    await expect(ask()).rejects.toMatchObject({ outcome: 'key_resting', facts: { permanent: false } })
    expect(provider.requests.map(keyOf)).toEqual(['a', 'b'])
  })

  it('a try that hangs ends as a timeout, closes its socket and gives its slot back', async () => {
    const { ask, provider } = await stage([{ hang: true }, { hang: true }, completion('Fine.')], ['key-1'], 100)
    const answer = await ask()
    expect(rowsOf(answer.attempts).map(([outcome]) => outcome)).toEqual(['timeout', 'timeout', 'ok'])
    await provider.requests[0]?.over
    expect(provider.requests[0]?.closedEarly).toBe(true)
  })

  it('counts what was paid for answers that nobody gets', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 7 }
    const { ask } = await stage([
      completion('', { usage }),
      completion('It began', { finishReason: 'length', usage }),
      // Not counted by the provider, and nothing in it that could be.
      completion('', { usage: null, finishReason: 'content_filter' }),
      completion('Fine.', { usage }),
    ])
    await expect(ask()).rejects.toMatchObject({
      outcome: 'refused',
      facts: { usage: { inputTokens: 200, outputTokens: 14, costUsd: 0 } },
    })
    expect((await ask()).usage).toEqual({ inputTokens: 100, outputTokens: 7, costUsd: 0 })
  })

  it('asks for twice the cap and brevity after a cut answer', async () => {
    const { ask, provider } = await stage([
      completion('It began', { finishReason: 'length' }),
      completion('All of it.'),
    ])
    expect((await ask()).text).toBe('All of it.')
    expect(provider.requests.map(({ body }) => body['max_tokens'])).toEqual([4000, 4000])
    expect(JSON.stringify(provider.requests[1]?.body)).toContain('Be brief.')
  })
})
