import { describe, expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/domain/attempt-row.ts'
import { RecapdError } from '../../../src/domain/errors.ts'
import { decodeState, encodeState, FRESH_STATE } from '../../../src/domain/list/state.ts'
import { brokenInvariants } from '../../support/chat-invariants.ts'
import { call, chat, filler, result as resultOf, says, system, user } from '../../support/chat-lists.ts'
import { HISTORY, NOW_MS, pipelineWorld } from '../../support/pipeline-world.ts'

/** A window of 8 000: threshold 6 800, tail 1 360, soft ceiling 2 040 tokens. */
const contextWindow = 8000
const long = (mark = 'job') => [system, ...chat(20, mark)]
const failing =
  (outcome: AttemptOutcome = 'server_error') =>
  () => {
    throw new RecapdError('models-failed', 'Every model failed.', {
      attempts: [{ model: 'alpha/small', outcome, durationMs: 1 }],
    })
  }
const stateOf = (text: string | undefined) => decodeState(text).state
/** The state once its cooldown is over. */
const rested = (text: string | undefined) => encodeState({ ...stateOf(text), cooldownUntilMs: 0 })

describe('compactMessages that changes nothing', () => {
  it.each([
    ['below-threshold', chat(3), { reason: 'threshold' }],
    ['disabled', long(), { reason: 'threshold', settings: { enabled: false } }],
    ['disabled', long(), { reason: 'overflow', settings: { enabled: false } }],
    ['nothing-to-compact', [user('hi')], {}],
    ['nothing-to-compact', [], {}],
    ['nothing-to-compact', [system], {}],
  ])('%s', async (reason, messages, more) => {
    const world = pipelineWorld()
    const marked = messages.map((message) => ({ ...message, _db_persisted: true }))
    const result = await world.list({ messages: marked, contextWindow, ...more })
    expect(result).toMatchObject({ compacted: false, reason, method: 'none', droppedCount: 0, calls: [] })
    expect(result.messages).toEqual(marked)
    expect(result.boundaries).toEqual({ start: 0, end: 0 })
    expect(result.progress.tokensAfter).toBe(result.progress.tokensBefore)
    expect(world.asked).toEqual([])
  })

  it('T11 its own output given back is already compacted, byte for byte; force tries again', async () => {
    const first = await pipelineWorld().list({ messages: long(), contextWindow })
    const body = { messages: first.messages, contextWindow, state: first.state }
    const again = await pipelineWorld().list(body)
    expect(again).toMatchObject({ compacted: false, reason: 'already-compacted' })
    expect(JSON.stringify(again.messages)).toBe(JSON.stringify(first.messages))
    expect((await pipelineWorld().list({ ...body, force: true })).reason).not.toBe('already-compacted')
  })

  it('B050 inflated: the bill is told, nothing is changed, all rows kept, the session may be reset', async () => {
    const messages = long()
    const world = pipelineWorld({ reply: () => `${HISTORY}\n${'y '.repeat(30_000)}` })
    const result = await world.list({ messages, contextWindow, reason: 'threshold', coverage: true })
    expect(result).toMatchObject({ compacted: false, reason: 'inflated', next: { resetSession: true } })
    expect(result.messages).toEqual(messages)
    expect(result.usage.costUsd).toBe(0.5)
    expect(result.plan?.coverage.every(({ fate }) => fate === 'kept')).toBe(true)
    expect(stateOf(result.state).strikes).toBe(1)
    expect(world.facts).toEqual([expect.objectContaining({ result: 'inflated' })])
  })

  it('#40803 B052 two strikes block the third pass, which leaves the state alone and asks for a reset', async () => {
    const messages = [0, 1, 2, 3].map((n) => (n % 2 ? says(filler(2000)) : user(filler(2000))))
    const body = { messages, contextWindow, reason: 'threshold' }
    const world = pipelineWorld()
    const one = await world.list(body)
    const two = await world.list({ ...body, state: one.state })
    const three = await world.list({ ...body, state: two.state })
    expect([one.reason, two.reason, three.reason]).toEqual(['nothing-to-compact', 'nothing-to-compact', 'ineffective'])
    expect(three.state).toBe(two.state)
    expect(three.next).toEqual({ resetSession: true })
    expect((await world.list({ ...body, state: two.state, force: true })).reason).toBe('nothing-to-compact')
    const cleared = { ...body, state: two.state, lastUsage: { promptTokens: 10 } }
    expect((await world.list(cleared)).reason).toBe('nothing-to-compact')
  })

  it('pruning alone that is enough needs no summary', async () => {
    const messages = [
      user('run it'),
      { role: 'assistant', content: null, tool_calls: [call('c1')] },
      resultOf('c1', filler(9000)),
      says('ok'),
    ]
    const world = pipelineWorld()
    const result = await world.list({ messages, contextWindow })
    expect(result).toMatchObject({ compacted: true, method: 'prune', droppedCount: 0, calls: [] })
    expect(result).not.toHaveProperty('summary')
    expect(world.facts).toEqual([expect.objectContaining({ result: 'pruned' })])
    expect((await world.list({ messages, contextWindow, prune: false })).reason).toBe('nothing-to-compact')
    expect(await world.list({ messages, contextWindow, dryRun: true })).toMatchObject({
      reason: 'dry-run',
      prompts: [],
    })
  })
})

describe('compactMessages that fails', () => {
  it.each([
    ['overflow', 'Context overflow recovery failed: Every model failed.'],
    ['threshold', 'Auto-compaction failed: Every model failed.'],
    ['manual', 'Every model failed.'],
  ])('#29559 #25585 #10719 is a problem with a cooldown, in the words of the seed: %s', async (reason, message) => {
    const body = { messages: long(), contextWindow, reason }
    const error = await pipelineWorld({ reply: failing('network') })
      .list(body)
      .then(String, (thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'models-failed', message })
    const { state } = (error as RecapdError).extras
    expect(stateOf(state).cooldownUntilMs).toBe(NOW_MS + 30_000)
    const blocked = await pipelineWorld().list({ ...body, reason: 'threshold', state })
    expect(blocked).toMatchObject({ compacted: false, reason: 'cooldown', state })
    // Over its window as it is, the list can only be given up (docs/spec/reading.md §3).
    expect([blocked.next.resetSession, blocked.warnings.join()]).toEqual([
      true,
      expect.stringContaining('still-over-window'),
    ])
    expect((await pipelineWorld().list({ ...body, reason: 'manual', state })).compacted).toBe(true)
  })

  it('the fallback is asked for, marked, local, begins a cooldown like any failure, and counts its streak', async () => {
    const body = { messages: long(), contextWindow, reason: 'threshold', onFailure: 'fallback' }
    const world = pipelineWorld({ reply: failing() })
    const one = await world.list(body)
    expect(one).toMatchObject({ compacted: true, method: 'extractive', fallbackUsed: true, degraded: true })
    expect(brokenInvariants(one.messages, 'openai')).toEqual([])
    expect(one.warnings).toEqual([expect.stringContaining('models-failed')])
    expect(one.calls).toMatchObject([{ kind: 'list', attempts: [{ outcome: 'server_error' }] }])
    expect((await world.list({ ...body, state: one.state })).reason).toBe('cooldown')
    const two = await world.list({ ...body, state: rested(one.state) })
    expect((await world.list({ ...body, state: rested(two.state) })).reason).toBe('ineffective')
    const healthy = await pipelineWorld().list({ ...body, state: rested(one.state) })
    expect(stateOf(healthy.state).fallbackStreak).toBe(0)
  })

  it('keeps the last second for the fallback', async () => {
    const world = pipelineWorld()
    await world.list({ messages: long(), contextWindow, onFailure: 'fallback' })
    expect(world.asked[0]?.deadlineAt).toBe(NOW_MS + 169_000)
  })

  it('an attempt over the last and a session that is being compacted are refused with the state given', async () => {
    const state = encodeState({ ...FRESH_STATE, strikes: 1 })
    const world = pipelineWorld()
    world.held.add('anonymous:S')
    const body = { messages: long(), contextWindow, state }
    await expect(world.list({ ...body, attempt: 4 })).rejects.toMatchObject({
      code: 'attempts-exhausted',
      extras: { state },
    })
    await expect(world.list({ ...body, sessionId: 'S' })).rejects.toMatchObject({
      code: 'compaction-in-progress',
      extras: { state },
    })
  })
})
