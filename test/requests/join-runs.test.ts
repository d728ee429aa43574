import { describe, expect, it } from 'vitest'
import { RecapdError } from '../../src/domain/errors.ts'
import type { PipelineDeps } from '../../src/pipelines/pipeline-context.ts'
import type { Emit } from '../../src/pipelines/pipeline-event.ts'
import { type Answer, called } from '../../src/requests/answer.ts'
import type { Execute, WorkCall } from '../../src/requests/call.ts'
import { joinRuns } from '../../src/requests/join-runs.ts'
import { CONTEXT, pipelineWorld } from '../support/pipeline-world.ts'

const DEPS: PipelineDeps = pipelineWorld().deps

function callOf(body: string, more: Partial<WorkCall> = {}, context: Partial<WorkCall['context']> = {}): WorkCall {
  return {
    endpoint: 'compact',
    mediaType: 'json',
    bytes: new TextEncoder().encode(body),
    query: {},
    context: { ...CONTEXT, ...context },
    ...more,
  }
}

interface Started {
  readonly call: WorkCall
  readonly signal: AbortSignal
  readonly emit: Emit | undefined
  end(answer: Answer): void
  fail(error: unknown): void
}

/** Runs that end when the test says so, or with the reason of their signal. */
function stage() {
  const started: Started[] = []
  const run: Execute = ({ call, emit }, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    started.push({ call, signal, emit, end: resolve, fail: reject })
    return promise
  }
  const joined = joinRuns(run)
  const ask = (call: WorkCall, signal = new AbortController().signal, emit?: Emit) =>
    joined({ call, deps: DEPS, emit }, signal)
  return { started, ask, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}
const gone = new RecapdError('client-closed', 'The client went away.')
const late = new RecapdError('deadline-exceeded', 'No answer within 1 ms.')

describe('joinRuns', () => {
  it('runs byte-equal compactions once and gives both the same answer', async () => {
    const { started, ask, settled } = stage()
    const both = [ask(callOf('{"a":1}')), ask(callOf('{"a":1}', {}, { requestId: 'other', traceparent: '00-2' }))]
    await settled()
    expect(started).toHaveLength(1)
    started[0]?.end({ json: '{}' })
    expect(await Promise.all(both)).toEqual([{ json: '{}' }, { json: '{}' }])
  })

  it.each([
    ['the body', callOf('{"a":2}')],
    ['the caller', callOf('{"a":1}', {}, { callerName: 'ci' })],
    ['the query', callOf('{"a":1}', { query: { dryRun: 'true' } })],
    ['the media type', callOf('{"a":1}', { mediaType: 'ndjson' })],
    ['what the cache may do', callOf('{"a":1}', {}, { noCache: true })],
    ['the endpoint, which shares by itself', callOf('{"a":1}', { endpoint: 'summarize' })],
  ])('keeps apart what differs in %s', async (_what, other) => {
    const { started, ask, settled } = stage()
    const both = [ask(callOf('{"a":1}')), ask(other)]
    await settled()
    expect(started).toHaveLength(2)
    for (const run of started) run.end({ json: '{}' })
    await Promise.all(both)
  })

  it('goes at the pace of the fastest reader, and waits where nobody reads', async () => {
    const { started, ask, settled } = stage()
    const call = callOf('{"a":1}', {}, { wantsEvents: true })
    const full = Promise.withResolvers<void>()
    const slow: Emit = Object.assign(() => {}, { room: () => full.promise })
    const quick: Emit = Object.assign(() => {}, { room: () => undefined })
    const first = ask(call, undefined, slow)
    await settled()
    const room = started[0]?.emit?.room
    expect(room?.()).toBeInstanceOf(Promise)
    const second = ask(call, undefined, quick)
    await settled()
    expect(room?.()).toBeUndefined()
    started[0]?.end({ json: '{}' })
    await Promise.all([first, second])
  })

  it('serves who wants no events by a run that tells them, and not the other way round', async () => {
    const { started, ask, settled } = stage()
    const silent = callOf('{"a":1}', {}, { wantsEvents: false })
    const telling = callOf('{"a":1}', {}, { wantsEvents: true })
    const first = [ask(telling), ask(silent)]
    await settled()
    expect(started).toHaveLength(1)
    started[0]?.end({ json: '{}' })
    await Promise.all(first)
    const second = [ask(silent), ask(telling)]
    await settled()
    expect(started).toHaveLength(3)
    for (const run of started) run.end({ json: '{}' })
    await Promise.all(second)
  })

  it('bills who began the run and nobody who joined it', async () => {
    const { started, ask, settled } = stage()
    const both = [ask(callOf('x')), ask(callOf('x'))]
    await settled()
    const usage = { inputTokens: 100, outputTokens: 20, costUsd: 1 }
    const result = { entry: { id: 'e' }, usage, calls: [{ model: 'alpha/small', usage }] }
    started[0]?.end(called(result))
    const [payer, joiner] = (await Promise.all(both)).map(({ json }) => JSON.parse(json))
    expect(payer).toMatchObject({ entry: { id: 'e' }, usage, calls: [{ usage }] })
    const free = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
    expect(joiner).toEqual({ entry: { id: 'e' }, usage: free, calls: [{ model: 'alpha/small', usage: free }] })
  })

  it('the order of query parameters is no difference', async () => {
    const { started, ask, settled } = stage()
    const both = [ask(callOf('x', { query: { a: '1', b: '2' } })), ask(callOf('x', { query: { b: '2', a: '1' } }))]
    await settled()
    expect(started).toHaveLength(1)
    started[0]?.end({ json: '{}' })
    await Promise.all(both)
  })

  it('begins anew once the run is over, however it ended', async () => {
    const { started, ask, settled } = stage()
    const first = ask(callOf('x'))
    await settled()
    started[0]?.fail(new RecapdError('models-failed', 'Every model failed.'))
    await expect(first).rejects.toMatchObject({ code: 'models-failed' })
    const second = ask(callOf('x'))
    await settled()
    expect(started).toHaveLength(2)
    started[1]?.end({ json: '{}' })
    await second
  })

  it('a waiter that leaves cuts nobody else; the last one aborts the run, which says why itself', async () => {
    const { started, ask, settled } = stage()
    const [one, two] = [new AbortController(), new AbortController()]
    const answers = [ask(callOf('x'), one.signal), ask(callOf('x'), two.signal)]
    const ends = answers.map((answer) => answer.catch((error: unknown) => error))
    await settled()
    one.abort(gone)
    expect(await ends[0]).toBe(gone)
    expect(started[0]?.signal.aborted).toBe(false)
    two.abort(late)
    expect(await ends[1]).toBe(late)
    expect(started[0]?.signal.reason).toBe(late)
  })

  it('nobody joins a run that is being aborted', async () => {
    const { started, ask, settled } = stage()
    const leaving = new AbortController()
    const first = ask(callOf('x'), leaving.signal).catch((error: unknown) => error)
    await settled()
    leaving.abort(gone)
    const second = ask(callOf('x'))
    await settled()
    expect(started).toHaveLength(2)
    started[1]?.end({ json: '{}' })
    expect(await first).toBe(gone)
    expect(await second).toEqual({ json: '{}' })
  })

  it('who has more time than the first caller goes on alone when that time is over', async () => {
    const { started, ask, settled } = stage()
    const first = ask(callOf('x')).catch((error: unknown) => error)
    const second = ask(callOf('x'))
    await settled()
    started[0]?.fail(late)
    expect(await first).toBe(late)
    await settled()
    expect(started).toHaveLength(2)
    started[1]?.end({ json: '{}' })
    expect(await second).toEqual({ json: '{}' })
  })

  it('late listeners hear what was said first, then the rest, in the same order', async () => {
    const { started, ask, settled } = stage()
    const heard: string[][] = [[], []]
    const listen =
      (who: number): Emit =>
      ({ name }) =>
        void heard[who]?.push(name)
    const first = ask(callOf('x'), undefined, listen(0))
    await settled()
    started[0]?.emit?.({ name: 'compaction_start', data: { reason: 'manual' } })
    const second = ask(callOf('x'), undefined, listen(1))
    await settled()
    started[0]?.emit?.({ name: 'summary', data: { kind: 'history' } })
    started[0]?.end({ json: '{}' })
    await Promise.all([first, second])
    expect(heard).toEqual([
      ['compaction_start', 'summary'],
      ['compaction_start', 'summary'],
    ])
  })

  it('who listens to nothing has a run that tells nothing', async () => {
    const { started, ask, settled } = stage()
    const first = ask(callOf('x', {}, { wantsEvents: false }))
    await settled()
    expect(started[0]?.emit).toBeUndefined()
    started[0]?.end({ json: '{}' })
    await first
  })

  it('a signal that has fired already starts nothing', async () => {
    const { started, ask } = stage()
    await expect(ask(callOf('x'), AbortSignal.abort(gone))).rejects.toBe(gone)
    expect(started).toEqual([])
  })
})
