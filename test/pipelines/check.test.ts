import { describe, expect, it } from 'vitest'
import { decodeState, encodeState, FRESH_STATE } from '../../src/domain/list/state.ts'
import { check } from '../../src/pipelines/check.ts'
import { checkRequest } from '../../src/pipelines/check-schema.ts'
import { parseRequest } from '../../src/requests/parse-request.ts'
import { chat, filler, user } from '../support/chat-lists.ts'
import { CONTEXT, NOW_MS, pipelineWorld, type WorldOptions } from '../support/pipeline-world.ts'
import { SessionBuilder, text, usage } from '../support/session-builder.ts'

const ask = (body: object, options: WorldOptions = {}) =>
  check({ request: parseRequest(checkRequest, body), context: CONTEXT, deps: pipelineWorld(options).deps })
const stateWith = (fields: object) => encodeState({ ...FRESH_STATE, model: 'alpha/small', ...fields })

function measured(tokens: number, fields: object = {}) {
  const session = new SessionBuilder()
  session.user('hello')
  session.assistant('hi', [], { usage: usage(tokens), ...fields })
  return session
}
const entriesOf = (session: SessionBuilder) => ({ entries: session.rows, contextWindow: 200_000 })

describe('check of a session', () => {
  it.each([
    [183_616, false, null],
    [183_617, true, 'threshold'],
    [200_001, true, 'overflow'],
  ])('B072 %d tokens of 200 000: %s, %s', (tokens, shouldCompact, reason) => {
    expect(ask(entriesOf(measured(tokens)))).toMatchObject({
      shouldCompact,
      reason,
      blockedBy: null,
      contextTokens: tokens,
      thresholdTokens: 183_616,
      lastError: null,
    })
  })

  it('adds what came after the measurement and never falls under the estimate', () => {
    const session = measured(5000)
    session.user(text(1000))
    expect(ask(entriesOf(session)).contextTokens).toBe(6000)
    session.assistant(text(9000), [], { usage: usage(10) })
    expect(ask(entriesOf(session)).contextTokens).toBeGreaterThanOrEqual(10_000)
  })

  it('names its estimator, another one than for lists', () => {
    expect(ask(entriesOf(measured(1))).estimator).toBe('session-utf8/4')
    expect(ask({ messages: [user('hi')] }).estimator).toBe('chat-v2')
  })

  it('looks at the asked leaf', () => {
    const session = measured(190_000)
    expect(ask({ ...entriesOf(session), leafId: '00000001' }).shouldCompact).toBe(false)
  })

  it('says that it is switched off, by the request or the configuration', () => {
    const body = entriesOf(measured(190_000))
    const blocked = { shouldCompact: false, reason: null, blockedBy: 'disabled' }
    expect(ask({ ...body, settings: { enabled: false } })).toMatchObject(blocked)
    expect(ask(body, { compaction: { enabled: false } })).toMatchObject(blocked)
    expect(ask({ ...body, settings: { enabled: true } }, { compaction: { enabled: false } }).shouldCompact).toBe(true)
  })

  it.each([
    ['cooldown', { cooldownUntilMs: NOW_MS + 1000 }],
    ['ineffective', { strikes: 2, strikeTokens: 190_000 }],
    ['ineffective', { fallbackStreak: 2 }],
  ])('is held by %s: %o, an overflow is not', (blockedBy, fields) => {
    const state = stateWith(fields)
    const body = { ...entriesOf(measured(190_000)), state }
    expect(ask(body)).toMatchObject({ shouldCompact: false, reason: null, blockedBy, state })
    const lastError = { message: 'prompt is too long: 213462 tokens > 200000 maximum', status: 400 }
    expect(ask({ ...body, lastError })).toMatchObject({ shouldCompact: true, reason: 'overflow', blockedBy: null })
  })

  it('a real prompt count clears or adds strikes in the state it gives back', () => {
    const body = { ...entriesOf(measured(190_000)), state: stateWith({ strikes: 2, awaitingUsage: true }) }
    const cleared = ask({ ...body, lastUsage: { promptTokens: 1000 } })
    expect(decodeState(cleared.state).state.strikes).toBe(0)
    const added = ask({ ...body, lastUsage: { promptTokens: 199_000 } })
    expect(decodeState(added.state).state.strikes).toBe(3)
  })

  it('takes the stored error of the last answer, and the caller word before it', () => {
    const errorMessage = 'Input is too long for requested model.'
    const session = measured(20, { stopReason: 'error', errorMessage })
    expect(ask(entriesOf(session))).toMatchObject({ reason: 'overflow', lastError: { isOverflow: true } })
    const own = ask({ ...entriesOf(session), lastError: { message: 'Internal server error', status: 500 } })
    expect(own).toMatchObject({ shouldCompact: false, lastError: { isOverflow: false, retryable: true } })
  })

  it('B170 a rate limit is no overflow, whatever its words, and tells its hint', () => {
    const lastError = {
      message: 'Too many tokens per minute: the request exceeds your limit. retry-after: 5',
      status: 429,
    }
    const { lastError: told, shouldCompact } = ask({ ...entriesOf(measured(10)), lastError })
    expect(told).toEqual({ class: 'rate_limited', isOverflow: false, retryable: true, retryAfterMs: 5000 })
    expect(shouldCompact).toBe(false)
  })

  it('an answer cut short on a full input is an overflow', () => {
    const session = measured(190_000, { stopReason: 'length' })
    expect(ask(entriesOf(session))).toMatchObject({ shouldCompact: true, reason: 'overflow' })
  })

  it('B067 an unknown window triggers nothing', () => {
    const body = { entries: measured(500_000).rows, contextWindow: 0 }
    expect(ask(body)).toMatchObject({ shouldCompact: false, reason: null, blockedBy: null })
  })

  it('warns of settings that gave way and of a damaged state', () => {
    const body = { entries: measured(10).rows, contextWindow: 8000, settings: { reserveTokens: 9000 }, state: 'x' }
    expect(ask(body).warnings).toEqual([expect.stringContaining('reserveTokens'), expect.stringContaining('state')])
  })
})

describe('check of a list', () => {
  const list = (tokens: number) => [user('x'.repeat((tokens - 10) * 4))]

  it.each([
    [54_399, false],
    [54_400, true],
  ])('%d tokens of 64 000: %s', (tokens, shouldCompact) => {
    const result = ask({ messages: list(tokens), contextWindow: 64_000 })
    expect(result).toMatchObject({ shouldCompact, contextTokens: tokens, thresholdTokens: 54_400 })
  })

  it('B197 counts system prompt and tools', () => {
    const body = { messages: [user('hi')], contextWindow: 64_000 }
    const whole = ask({ ...body, system: 'x'.repeat(400), tools: [{ a: 1 }] })
    expect(whole.contextTokens - ask(body).contextTokens).toBe(100 + 3)
  })

  it.each([
    ['its own ratio', { threshold: 0.5 }, 32_000],
    ['its own cap', { thresholdTokens: 900 }, 900],
    ['the ratio of the settings', { settings: { thresholdPercent: 25 } }, 16_000],
    ['the cap of the settings', { settings: { thresholdTokens: 800 } }, 800],
    ['the reply that is reserved for', { maxOutputTokens: 32_000, threshold: 0.5 }, 16_000],
  ])('B072 the threshold follows %s', (_what, more, thresholdTokens) => {
    expect(ask({ messages: [user('hi')], contextWindow: 64_000, ...more }).thresholdTokens).toBe(thresholdTokens)
  })

  it('is held and lifted like a session', () => {
    const body = { messages: chat(20), contextWindow: 8000 }
    const held = { ...body, state: stateWith({ cooldownUntilMs: NOW_MS + 1000 }) }
    expect(ask(held)).toMatchObject({ shouldCompact: false, reason: null, blockedBy: 'cooldown' })
    expect(ask({ ...held, lastError: { message: 'context_length_exceeded' } })).toMatchObject({ reason: 'overflow' })
    expect(ask({ ...body, settings: { enabled: false } })).toMatchObject({
      shouldCompact: false,
      blockedBy: 'disabled',
    })
    const small = { messages: [user('hi')], contextWindow: 8000, settings: { enabled: false } }
    expect(ask(small).blockedBy).toBeNull()
  })

  it('B067 an unknown window triggers nothing and is measured by the model', () => {
    const result = ask({ messages: [user(filler(300_000))], contextWindow: 0 })
    expect(result).toMatchObject({ shouldCompact: false, blockedBy: null, thresholdTokens: 150_000 })
  })

  it('wants exactly one of entries and messages', () => {
    expect(() => ask({})).toThrow(/exactly one/)
    expect(() => ask({ entries: [], messages: [] })).toThrow(/exactly one/)
  })
})
