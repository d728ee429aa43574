import { describe, expect, it } from 'vitest'
import { RecapdError } from '../../../src/domain/errors.ts'
import { decodeState, encodeState, FRESH_STATE } from '../../../src/domain/list/state.ts'
import type { AttemptRow } from '../../../src/models/model.ts'
import { HISTORY, NOW_MS, pipelineWorld } from '../../support/pipeline-world.ts'
import { SessionBuilder, text, usage } from '../../support/session-builder.ts'

const settings = { keepRecentTokens: 2100 }
const NOTHING_NEXT = { willRetry: false, dropEntryId: null, continuePrompt: null }

/** Five turns, and an answer that measured so many tokens. */
function measured(tokens: number) {
  const session = new SessionBuilder()
  session.turns(5)
  session.user('one more')
  session.assistant('ready', [], { usage: usage(tokens) })
  return session
}
const fails = (outcome: AttemptRow['outcome'], status?: number) => () => {
  const attempts = [{ model: 'alpha/small', outcome, durationMs: 1, ...(status === undefined ? {} : { status }) }]
  throw new RecapdError('models-failed', 'Every model failed.', { attempts })
}
const stateOf = (text: string | undefined) => decodeState(text).state
const stateWith = (fields: object) => encodeState({ ...FRESH_STATE, model: 'alpha/small', ...fields })

async function problemOf(work: Promise<unknown>): Promise<RecapdError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof RecapdError)) throw new Error('expected a problem')
  return error
}

describe('compactSession that changes nothing', () => {
  it.each([
    ['already-compacted', 'manual', (session: SessionBuilder) => session.compaction('## Goal\nold', 'ffffffff'), {}],
    ['nothing-to-compact', 'manual', () => undefined, { keepRecentTokens: 9000 }],
    ['below-threshold', 'threshold', () => undefined, {}],
    ['disabled', 'threshold', () => undefined, { enabled: false }],
    ['disabled', 'idle', () => undefined, { enabled: false }],
    ['disabled', 'overflow', () => undefined, { enabled: false }],
  ])('%s for reason %s', async (wanted, reason, change, more) => {
    const session = measured(6000)
    change(session)
    const world = pipelineWorld()
    const result = await world.session({ entries: session.rows, reason, settings: { ...settings, ...more } })
    expect(result).toMatchObject({ compacted: false, reason: wanted, method: 'none', next: NOTHING_NEXT, calls: [] })
    expect(result).not.toHaveProperty('entry')
    expect(result).not.toHaveProperty('context')
    expect(result.progress.madeProgress).toBe(false)
    expect(world.asked).toEqual([])
    expect(world.facts).toEqual([expect.objectContaining({ result: wanted })])
  })

  it('a manual pass runs although it is switched off', async () => {
    const result = await pipelineWorld({ compaction: { enabled: false } }).session({
      entries: measured(10).rows,
      settings,
    })
    expect(result.compacted).toBe(true)
  })

  it('B061 B068 two short messages and a session of metadata alone are nothing to compact', async () => {
    const session = new SessionBuilder()
    session.add({ type: 'model_change', model: 'fake/fake-1' })
    const world = pipelineWorld()
    expect((await world.session({ entries: session.rows })).reason).toBe('nothing-to-compact')
    session.user('hi')
    session.assistant('hello')
    expect((await world.session({ entries: session.rows })).reason).toBe('nothing-to-compact')
  })

  it('B062 B053 one group that alone exceeds what is kept stays, and counts as a strike where a pass was due', async () => {
    const session = new SessionBuilder()
    session.user('look')
    session.tool('c1', text(9000))
    const body = {
      entries: session.rows.slice(0, 1).concat(session.rows.slice(2)),
      reason: 'threshold',
      contextWindow: 8000,
    }
    const rows = body.entries.map((row) => (row['parentId'] === '00000001' ? { ...row, parentId: null } : row))
    const world = pipelineWorld()
    const first = await world.session({ ...body, entries: rows })
    const second = await world.session({ ...body, entries: rows, state: first.state })
    const third = await world.session({ ...body, entries: rows, state: second.state })
    expect([first.reason, second.reason, third.reason]).toEqual([
      'nothing-to-compact',
      'nothing-to-compact',
      'ineffective',
    ])
    expect(stateOf(third.state)).toEqual(stateOf(second.state))
  })

  it('B050 B051 B071 #23767 an answer larger than what it replaces is inflated: a bill, a strike and no entry', async () => {
    const session = measured(190_000)
    const world = pipelineWorld({
      reply: (kind) => (kind === 'history' ? `${HISTORY}\n${'y'.repeat(40_000)}` : undefined),
    })
    const result = await world.session({ entries: session.rows, reason: 'threshold', settings, contextWindow: 200_000 })
    expect(result).toMatchObject({ compacted: false, reason: 'inflated', progress: { madeProgress: false } })
    expect(result.usage.costUsd).toBeGreaterThan(0)
    expect(stateOf(result.state).strikes).toBe(1)
  })

  it('pruning alone that brings it below the threshold is the method, and is listed and told', async () => {
    const session = new SessionBuilder()
    session.user('work')
    const [, old] = session.tool('c0', text(30_000))
    session.tool('c1', text(40_000))
    session.assistant('seen', [], { usage: usage(110_000) })
    const world = pipelineWorld()
    const body = { entries: session.rows, reason: 'threshold', contextWindow: 120_000 }
    const result = await world.session(body)
    expect(result).toMatchObject({ compacted: false, reason: 'below-threshold', method: 'prune' })
    expect(result.pruned).toMatchObject({ count: 1, entries: [{ id: old, text: '[Output truncated - 30000 tokens]' }] })
    expect(world.events.map(([name]) => name)).toEqual(['compaction_start', 'pruned'])
    expect((await world.session({ ...body, prune: false })).compacted).toBe(true)
    const off = await world.session({ ...body, settings: { enabled: false } })
    expect(off).toMatchObject({ reason: 'disabled', method: 'none', pruned: { count: 0 } })
  })
})

describe('compactSession, when it is due', () => {
  it.each([
    [183_616, 'below-threshold'],
    [183_617, undefined],
  ])('measured %d of 200 000 tokens: %s', async (tokens, reason) => {
    const result = await pipelineWorld().session({ entries: measured(tokens).rows, reason: 'threshold', prune: false })
    expect(result.reason).toBe(reason)
    if (reason === undefined) expect(result.entry?.tokensBefore).toBe(tokens)
  })

  it('B055 B063 usage from before the last compaction triggers nothing', async () => {
    const session = measured(190_000)
    session.compaction('## Goal\nold', session.leaf ?? '')
    session.user('next')
    const result = await pipelineWorld().session({ entries: session.rows, reason: 'threshold' })
    expect(result.reason).toBe('below-threshold')
  })

  it('B067 a window of 0 is unknown: no threshold, and a manual pass is measured by the model', async () => {
    const session = measured(190_000)
    const world = pipelineWorld()
    const body = { entries: session.rows, contextWindow: 0, settings }
    expect((await world.session({ ...body, reason: 'threshold' })).reason).toBe('below-threshold')
    expect((await world.session(body)).compacted).toBe(true)
  })

  it('B180 a session without any usage is measured by its estimate', async () => {
    const session = new SessionBuilder()
    session.turns(10)
    const body = { entries: session.rows, reason: 'threshold', contextWindow: 8000 }
    expect((await pipelineWorld().session(body)).compacted).toBe(true)
  })

  it.each([
    ['thresholdPercent', 50, true],
    ['thresholdTokens', 120_000, false],
    ['reserveTokens', 110_000, true],
  ])('%s %d wins over the default reserve', async (name, value, compacted) => {
    const body = { entries: measured(110_000).rows, reason: 'threshold', settings: { [name]: value } }
    expect((await pipelineWorld().session(body)).compacted).toBe(compacted)
  })

  it('B199 settings of the request win over the configuration, each by itself', async () => {
    const world = pipelineWorld({ compaction: { keepRecentTokens: 50, autoContinue: false } })
    const body = { entries: measured(190_000).rows, reason: 'threshold' }
    const own = await world.session({ ...body, settings: { keepRecentTokens: 1_000_000, autoContinue: true } })
    expect(own.warnings).toEqual([expect.stringContaining('keepRecentTokens 1000000')])
    const configured = await world.session(body)
    expect(configured.plan?.keptEntryIds).toHaveLength(1)
    expect(configured.next.continuePrompt).toBeNull()
  })

  it('explicit settings that eat a small window give way with a warning, defaults without one', async () => {
    const session = new SessionBuilder()
    session.turns(10)
    const world = pipelineWorld()
    const body = { entries: session.rows, contextWindow: 8192 }
    const plain = await world.session(body)
    expect(plain.warnings).toEqual([])
    expect(plain.plan?.keepRecentTokens).toBe(3482)
    const asked = { reserveTokens: 9000, keepRecentTokens: 8000 }
    const { warnings } = await world.session({ ...body, settings: asked })
    expect(warnings).toEqual([
      expect.stringContaining('reserveTokens 9000'),
      expect.stringContaining('keepRecentTokens 8000'),
    ])
  })
})

describe('compactSession that fails', () => {
  it.each([
    ['overflow', 'Context overflow recovery failed: Every model failed.'],
    ['threshold', 'Auto-compaction failed: Every model failed.'],
    ['idle', 'Auto-compaction failed: Every model failed.'],
    ['manual', 'Every model failed.'],
  ])('says so in the words of the seed: %s', async (reason, detail) => {
    const world = pipelineWorld({ reply: fails('server_error', 500) })
    const problem = await problemOf(world.session({ entries: measured(190_000).rows, reason, settings }))
    expect(problem).toMatchObject({ code: 'models-failed', message: detail })
    expect(problem.extras.attempts).toHaveLength(1)
  })

  it('B054 starts a pause, longer each time the model was too slow, that blocks automatic passes alone', async () => {
    const body = { entries: measured(190_000).rows, reason: 'threshold', settings }
    const pauses: number[] = []
    let state: string | undefined
    for (let pass = 0; pass < 3; pass += 1) {
      const world = pipelineWorld({ reply: fails('timeout') })
      const problem = await problemOf(world.session({ ...body, reason: 'manual', ...(state ? { state } : {}) }))
      state = problem.extras.state
      pauses.push((stateOf(state).cooldownUntilMs - NOW_MS) / 1000)
    }
    expect(pauses).toEqual([60, 300, 900])
    const world = pipelineWorld()
    expect(await world.session({ ...body, state })).toMatchObject({ compacted: false, reason: 'cooldown', state })
    expect(await world.session({ ...body, state, reason: 'idle' })).toMatchObject({ reason: 'cooldown' })
    expect(await world.session({ ...body, state, force: true })).toMatchObject({ compacted: true })
    const manual = await world.session({ ...body, state, reason: 'manual' })
    expect(stateOf(manual.state)).toMatchObject({ cooldownUntilMs: 0, timeouts: 0 })
  })

  it.each([
    ['network', undefined, 30],
    ['bad_response', 200, 30],
    ['rate_limited', 429, 60],
    ['server_error', 503, 60],
    ['auth', 401, 600],
    ['quota', 402, 600],
  ] as const)('%s with status %s pauses %d seconds', async (outcome, status, seconds) => {
    const world = pipelineWorld({ reply: fails(outcome, status) })
    const { extras } = await problemOf(world.session({ entries: measured(10).rows, settings }))
    expect(stateOf(extras.state).cooldownUntilMs).toBe(NOW_MS + seconds * 1000)
  })

  it('every other problem hands the state back as it came', async () => {
    const state = stateWith({ strikes: 1 })
    const world = pipelineWorld()
    const rows = measured(10).rows
    for (const body of [{ attempt: 4 }, { attempt: 2, maxAttempts: 1 }, { leafId: 'nosuchid' }]) {
      expect((await problemOf(world.session({ entries: rows, state, ...body }))).extras.state).toBe(state)
    }
  })

  it('the attempt after the last one is refused', async () => {
    const world = pipelineWorld()
    const body = { entries: measured(10).rows, settings }
    expect(await problemOf(world.session({ ...body, attempt: 4 }))).toMatchObject({ code: 'attempts-exhausted' })
    expect((await world.session({ ...body, attempt: 3 })).compacted).toBe(true)
  })

  it('a client that left is told nothing', async () => {
    const gone = new AbortController()
    const world = pipelineWorld({
      reply: (_kind, _request, signal) => {
        gone.abort(new RecapdError('client-closed', 'The client went away.'))
        throw signal.reason
      },
    })
    const problem = await problemOf(world.session({ entries: measured(10).rows, settings }, {}, gone.signal))
    expect(problem.extras).toEqual({})
  })
})

describe('compactSession, strikes', () => {
  const body = { entries: measured(190_000).rows, reason: 'threshold', settings }

  it.each([
    ['a real prompt count under the threshold', { lastUsage: { promptTokens: 1000 } }, true],
    ['no count at all', { lastUsage: { promptTokens: null } }, false],
    ['force', { force: true }, true],
    ['nothing', {}, false],
  ])('two of them are lifted by %s: %o', async (_what, more, compacted) => {
    const state = stateWith({ strikes: 2, strikeTokens: 190_000 })
    expect((await pipelineWorld().session({ ...body, ...more, state })).compacted).toBe(compacted)
  })

  it('a count at the threshold right after a pass adds one', async () => {
    const state = stateWith({ strikes: 1, awaitingUsage: true })
    const result = await pipelineWorld().session({ ...body, state, lastUsage: { promptTokens: 195_000 } })
    expect(result.reason).toBe('ineffective')
  })

  it('a pass without progress has its strike at once and no second one from the next count', async () => {
    const session = new SessionBuilder()
    session.user(text(300, 'ask'))
    session.assistant(text(9000))
    const world = pipelineWorld({ reply: () => `${HISTORY}\n${'x'.repeat(1000)}` })
    const asked = { entries: session.rows, settings: { keepRecentTokens: 2, thresholdTokens: 5000 } }
    const result = await world.session(asked)
    expect(result).toMatchObject({ compacted: true, progress: { madeProgress: false } })
    expect(stateOf(result.state)).toMatchObject({ strikes: 1, awaitingUsage: false })
  })

  it('a damaged state is ignored with a warning', async () => {
    const { warnings, compacted } = await pipelineWorld().session({ ...body, state: 'rs1.broken.xyz' })
    expect(compacted).toBe(true)
    expect(warnings).toEqual([expect.stringContaining('state')])
  })
})

describe('compactSession, one at a time', () => {
  it('holds the session while it works, gives it back after success and failure, and not for a dry run', async () => {
    const body = { entries: measured(10).rows, settings, sessionId: 'S' }
    const seen: string[][] = []
    const world = pipelineWorld({ reply: () => void seen.push([...world.held]) })
    await world.session({ ...body, dryRun: true })
    await world.session(body, { callerName: 'ci' })
    expect(seen[0]).toEqual(['ci:S'])
    expect([...world.held]).toEqual([])
    const failing = pipelineWorld({ reply: fails('server_error') })
    await problemOf(failing.session(body))
    expect([...failing.held]).toEqual([])
  })

  it('refuses the second with a hint, a strike for nobody', async () => {
    const world = pipelineWorld()
    world.held.add('anonymous:S')
    const problem = await problemOf(world.session({ entries: measured(10).rows, settings, sessionId: 'S' }))
    expect(problem).toMatchObject({ code: 'compaction-in-progress', extras: { retryAfterMs: 5000 } })
    expect(stateOf(problem.extras.state)).toEqual(FRESH_STATE)
    expect((await world.session({ entries: measured(10).rows, settings, sessionId: 'T' })).compacted).toBe(true)
  })
})
