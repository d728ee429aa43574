import { describe, expect, it } from 'vitest'
import { RecapdError } from '../../../src/domain/errors.ts'
import { decodeState, encodeState } from '../../../src/domain/list/state.ts'
import type { CompletionRequest } from '../../../src/models/model.ts'
import { completionOf, hangs } from '../../support/fake-model.ts'
import {
  ALPHA,
  HISTORY,
  type Kind,
  NOW_MS,
  PREFIX,
  pipelineWorld,
  prompts,
  SHORT,
} from '../../support/pipeline-world.ts'
import { SessionBuilder, text } from '../../support/session-builder.ts'

/** Needs all three calls: history, turn prefix, short summary. */
function splitTalk() {
  const session = new SessionBuilder()
  session.turns(3)
  session.user('long job')
  session.assistant(text(1500, 'first half'))
  session.assistant(text(700, 'second half'))
  return session.rows
}
const body = { entries: splitTalk(), settings: { keepRecentTokens: 800 } }
const failure = (code: 'models-failed' | 'deadline-exceeded' = 'models-failed') =>
  new RecapdError(code, 'Every model failed.')
const only = (failing: Kind, code?: 'deadline-exceeded') => (kind: Kind) => {
  if (kind === failing) throw failure(code)
  return undefined
}

/** The state once its cooldown is over. */
const rested = (text: string | undefined) => encodeState({ ...decodeState(text).state, cooldownUntilMs: 0 })

describe('the calls of compactSession', () => {
  it('run side by side', async () => {
    let running = 0
    let most = 0
    const world = pipelineWorld({
      async reply() {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        return undefined
      },
    })
    await world.session(body)
    expect(most).toBe(3)
  })

  it.each(['history', 'prefix'] as const)('B044 a failed %s fails the pass and aborts the others', async (failing) => {
    const world = pipelineWorld({
      reply: (kind, request, signal) => {
        if (kind === failing) throw failure()
        return hangs(request, signal)
      },
    })
    await expect(world.session(body)).rejects.toMatchObject({ code: 'models-failed' })
    const others = world.asked.filter(({ kind }) => kind !== failing)
    expect(others.map(({ signal }) => signal.aborted)).toEqual([true, true])
    expect(world.facts).toEqual([])
  })

  it('a failed short summary is a warning', async () => {
    const { entry, warnings, compacted } = await pipelineWorld({ reply: only('short') }).session(body)
    expect(compacted).toBe(true)
    expect(entry?.shortSummary).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining('short summary')])
  })

  it('a short summary that hangs gives up before the deadline, the others may use all of it', async () => {
    const world = pipelineWorld()
    await world.session(body)
    const left = Object.fromEntries(world.asked.map(({ kind, deadlineAt }) => [kind, deadlineAt - NOW_MS]))
    expect(left).toEqual({ history: 170_000, prefix: 170_000, short: 168_000 })
    const hurried = pipelineWorld()
    await hurried.session(body, { deadlineAt: NOW_MS + 4000 })
    expect(hurried.asked.find(({ kind }) => kind === 'short')?.deadlineAt).toBe(NOW_MS + 3000)
  })

  it('shortSummary false makes no short call', async () => {
    const world = pipelineWorld()
    const { entry } = await world.session({ ...body, shortSummary: false })
    expect(world.asked.map(({ kind }) => kind)).toEqual(['history', 'prefix'])
    expect(entry?.shortSummary).toBeUndefined()
  })

  it('B182 the signal of the caller reaches them, and a signal that has fired lets none begin', async () => {
    const gone = new AbortController()
    const world = pipelineWorld({
      reply: (_kind, request, signal) => {
        queueMicrotask(() => gone.abort(failure('deadline-exceeded')))
        return hangs(request, signal)
      },
    })
    const work = world.session(
      { ...body, reason: 'threshold', settings: { ...body.settings, thresholdTokens: 100 } },
      {},
      gone.signal,
    )
    await expect(work).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: 'Auto-compaction failed: Every model failed.',
    })
    expect(world.asked.every(({ signal }) => signal.aborted)).toBe(true)
    const late = pipelineWorld()
    await expect(late.session(body, {}, AbortSignal.abort(failure('deadline-exceeded')))).rejects.toMatchObject({
      extras: { state: expect.any(String) },
    })
    expect(late.asked.filter(({ signal }) => !signal.aborted)).toEqual([])
  })

  it('B064 B191 ask for what the request names: model, strategy, no cache, trace', async () => {
    const world = pipelineWorld()
    const context = { noCache: true, traceparent: '00-1-2-01', allowedModels: ['alpha/*'] }
    await world.session({ ...body, model: 'alpha/big', strategy: 'moa/careful' }, context)
    expect(world.asked[0]).toMatchObject({
      noCache: true,
      traceparent: '00-1-2-01',
      selection: { model: 'alpha/big', strategy: 'moa/careful', allowed: ['alpha/*'] },
    })
  })

  it('rows of a fold or a mixture stand in calls, sums in usage', async () => {
    const row = (kind: string) => ({ ...ROW, kind })
    const world = pipelineWorld({
      reply: (kind) =>
        kind === 'history'
          ? completionOf('alpha/small', HISTORY, { method: 'fold', calls: [row('part'), row('part'), row('merge')] })
          : undefined,
    })
    const { calls, usage } = await world.session(body)
    expect(calls.map(({ kind }) => kind)).toEqual(['part', 'part', 'merge', 'prefix', 'short'])
    expect(usage).toEqual({ inputTokens: 30, outputTokens: 6, costUsd: 1.5 })
  })
})

const ROW = {
  model: 'alpha/small',
  usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
  attempts: [],
  durationMs: 1,
}

describe('compactSession with onFailure fallback', () => {
  it('makes what failed without a model, and says so', async () => {
    const world = pipelineWorld({ reply: only('history') })
    const result = await world.session({ ...body, onFailure: 'fallback' })
    expect(result).toMatchObject({ compacted: true, degraded: true, method: 'extractive' })
    expect(result.entry?.summary).toContain('made WITHOUT a model')
    expect(result.entry?.summary).toContain(PREFIX)
    expect(result.warnings).toEqual([expect.stringContaining('history')])
  })

  it('keeps the last second for it when a model hangs', async () => {
    const world = pipelineWorld({ reply: only('history', 'deadline-exceeded') })
    const result = await world.session({ ...body, onFailure: 'fallback', shortSummary: false })
    expect(result.degraded).toBe(true)
    const [model, prefix, local] = world.asked
    expect([model?.deadlineAt, prefix?.deadlineAt]).toEqual([NOW_MS + 169_000, NOW_MS + 169_000])
    expect(local).toMatchObject({ selection: { model: 'recapd/extractive' }, deadlineAt: NOW_MS + 170_000 })
  })

  it('two summaries in a row without a model block the next automatic pass, a short one counts for nothing', async () => {
    const request = {
      ...body,
      settings: { ...body.settings, thresholdTokens: 100 },
      reason: 'threshold',
      onFailure: 'fallback',
    }
    const failing = pipelineWorld({ reply: only('history') })
    const one = await failing.session(request)
    expect(await failing.session({ ...request, state: one.state })).toMatchObject({ reason: 'cooldown' })
    const two = await failing.session({ ...request, state: rested(one.state) })
    expect(await failing.session({ ...request, state: rested(two.state) })).toMatchObject({ reason: 'ineffective' })
    const shortOnly = pipelineWorld({ reply: only('short') })
    let state = (await shortOnly.session(request)).state
    state = (await shortOnly.session({ ...request, state })).state
    expect(await shortOnly.session({ ...request, state })).toMatchObject({ compacted: true, degraded: false })
  })

  it('a chain that is the embedded model alone never falls back, so it never blocks', async () => {
    const world = pipelineWorld({
      reply: () => completionOf('recapd/extractive', HISTORY, { method: 'extractive', degraded: true }),
    })
    const request = {
      ...body,
      settings: { ...body.settings, thresholdTokens: 100 },
      reason: 'threshold',
      onFailure: 'fallback',
    }
    let state: string | undefined
    for (let pass = 0; pass < 3; pass += 1) {
      const result = await world.session({ ...request, ...(state === undefined ? {} : { state }) })
      expect(result).toMatchObject({ compacted: true, degraded: true })
      state = result.state
    }
  })
})

describe('the events of compactSession', () => {
  it('B184 tell the pass in its order, each call under its kind', async () => {
    const world = pipelineWorld({
      reply: (kind, { listener }: CompletionRequest) => {
        if (kind !== 'history') return undefined
        listener?.attempt?.({ model: 'alpha/small', outcome: 'timeout', durationMs: 1 })
        listener?.delta?.('## Go')
        listener?.reset?.()
        listener?.delta?.(HISTORY)
        listener?.attempt?.({ model: 'alpha/small', outcome: 'ok', durationMs: 1 })
        return undefined
      },
    })
    await world.session({ ...body, shortSummary: false })
    expect(world.events.map(([name, { kind }]) => (kind === undefined ? name : `${name} ${kind}`))).toEqual([
      'compaction_start',
      'plan',
      'attempt history',
      'delta history',
      'reset history',
      'delta history',
      'attempt history',
      'summary history',
      'summary prefix',
    ])
    expect(world.events[0]?.[1]).toEqual({ reason: 'manual' })
    expect(world.events[1]?.[1]).toMatchObject({ isSplitTurn: true })
  })
})

describe('a dry run of compactSession', () => {
  it('has the plan and the sizes and prices of the prompts, asks nobody and counts nothing', async () => {
    const world = pipelineWorld()
    const result = await world.session({ ...body, dryRun: true, coverage: true })
    expect(world.asked).toEqual([])
    expect(world.facts).toEqual([])
    expect(result).toMatchObject({ compacted: false, reason: 'dry-run', method: 'none', calls: [] })
    expect(result).not.toHaveProperty('entry')
    expect(result.plan?.coverage).toHaveLength(splitTalk().length)
    const real = pipelineWorld()
    await real.session(body)
    const sizeOf = (kind: Kind) => Math.ceil((real.prompt(kind).length + 0) / 4)
    const system = Math.ceil(prompts['summarization-system'].length / 4)
    expect(result.prompts?.map(({ kind, model, tokens }) => [kind, model, tokens])).toEqual([
      ['history', 'alpha/small', sizeOf('history') + system],
      ['prefix', 'alpha/small', sizeOf('prefix') + system],
      ['short', 'alpha/small', sizeOf('short') + system],
    ])
    const [history] = result.prompts ?? []
    expect(history?.estimatedCostUsd).toBeCloseTo(((history?.tokens ?? 0) + 13_107 * 10) / 1e6, 9)
  })

  it('names no price that nobody configured', async () => {
    const { price: _, ...candidate } = ALPHA
    const { prompts: rows } = await pipelineWorld({ candidate }).session({ ...body, dryRun: true })
    expect(rows?.[0]?.estimatedCostUsd).toBeUndefined()
  })

  it('says why nothing would be done', async () => {
    const result = await pipelineWorld().session({ ...body, dryRun: true, reason: 'threshold' })
    expect(result.reason).toBe('below-threshold')
  })
})

describe('the answers of compactSession', () => {
  it('B193 what was restored and what nobody said stand in the audit', async () => {
    const session = new SessionBuilder()
    session.user('move the relay to port 48213 and never touch the billing tables')
    session.assistant(text(2000))
    session.user('next')
    session.assistant(text(500))
    const world = pipelineWorld({ reply: (kind) => (kind === 'history' ? `${HISTORY}\nedited src/ghost.ts` : SHORT) })
    const { entry, audit } = await world.session({ entries: session.rows, settings: { keepRecentTokens: 600 } })
    expect(entry?.summary).toContain('48213')
    expect(entry?.summary).toContain('billing tables')
    expect(audit?.restored.map(({ kind }) => kind)).toContain('constraint')
    expect(audit?.unsupportedPaths).toEqual(['src/ghost.ts'])
    expect(world.audits).toEqual([[audit?.kept, audit?.restored.length]])
  })

  it('B152 what is put back is told as the past', async () => {
    const { entry } = await pipelineWorld().session(body)
    expect(entry?.summary).not.toMatch(/^## (Next|Active|Current) /m)
    expect(entry?.summary).toContain('## Kept Facts')
  })
})
