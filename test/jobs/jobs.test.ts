import { describe, expect, it } from 'vitest'
import { RecapdError } from '../../src/domain/errors.ts'
import { isOver, type JobStatus } from '../../src/jobs/job.ts'
import type { JobStore } from '../../src/jobs/job-store.ts'
import { createJobs } from '../../src/jobs/jobs.ts'
import { memoryQueue } from '../../src/jobs/memory-queue.ts'
import { memoryJobStore } from '../../src/jobs/memory-store.ts'
import { type JobRunnerOptions, runJob } from '../../src/jobs/run-job.ts'
import type { Emit } from '../../src/pipelines/pipeline-event.ts'
import type { Answer } from '../../src/requests/answer.ts'
import type { WorkCall } from '../../src/requests/call.ts'
import { compactCall } from '../support/compact-call.ts'
import { virtualClock } from '../support/virtual-clock.ts'

interface Started {
  readonly call: WorkCall
  readonly emit: Emit
  readonly signal: AbortSignal
  end(answer: Answer): void
  fail(error: unknown): void
}

interface StageOptions {
  readonly concurrency?: number
  readonly maxWaiting?: number
  readonly ttlMs?: number
  readonly around?: (store: JobStore) => JobStore
}
const same = (store: JobStore) => store

/** Jobs of this process over a pipeline that the test ends itself. */
function stage({ concurrency = 2, maxWaiting = 2, ttlMs = 60_000, around = same }: StageOptions = {}) {
  const clock = virtualClock()
  const started: Started[] = []
  const finished: string[] = []
  const store = around(memoryJobStore({ clock, ttlMs, maxBytes: 1_000_000 }))
  const options: JobRunnerOptions = {
    store,
    clock,
    run({ call, emit }, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      signal.addEventListener('abort', () => reject(signal.reason))
      started.push({ call, emit, signal, end: resolve, fail: reject })
      return promise
    },
    foreseen: (thrown) => (thrown instanceof RecapdError ? thrown : new RecapdError('internal', 'A fault.')),
    onFinished: async (_id, status) => void finished.push(status),
  }
  const queue = memoryQueue({ concurrency, maxWaiting, run: (id, isAgain) => runJob(id, isAgain, options) })
  const jobs = createJobs({
    store,
    queue,
    clock,
    isRetryable: ({ code }) => code === 'models-failed',
    onCancelled: async () => void finished.push('cancelled'),
    close: store.close,
  })
  const submit = (body = '{}', idempotencyKey?: string, owner = 'one') =>
    jobs.submit({
      call: compactCall(body),
      path: '/compact',
      owner,
      timeoutMs: 5_000,
      idempotencyKey,
      retainBody: () => () => {},
    })
  return { clock, jobs, submit, started, finished, settled: () => new Promise((resolve) => setImmediate(resolve)) }
}
const failure = (code: 'models-failed' | 'models-unusable') => new RecapdError(code, 'Every model failed.')

/** A store whose jobs nobody runs: the replica that wrote them down died before they were in the line. */
async function leftOutOfLine(key: string): Promise<JobStore> {
  const clock = virtualClock()
  const store = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 1_000_000 })
  const dead = createJobs({
    store,
    queue: { ...memoryQueue({ concurrency: 1, maxWaiting: 1, run: async () => 'over' }), add: async () => {} },
    clock,
    isRetryable: () => false,
    onCancelled: async () => {},
    close: store.close,
  })
  await dead.submit({ ...SUBMISSION, call: compactCall('{}'), idempotencyKey: key })
  return store
}
const SUBMISSION = { path: '/compact', owner: 'one', timeoutMs: 5_000, retainBody: () => () => {} }

describe('createJobs', () => {
  it('goes from queued to running to done, with times, and keeps the answer byte for byte', async () => {
    const { clock, jobs, submit, started, finished, settled } = stage({ concurrency: 1 })
    const first = (await submit()).job
    const second = (await submit()).job
    await settled()
    expect((await jobs.find(second.id, 'one'))?.status).toBe('queued')
    await clock.advance(100)
    started[0]?.end({ json: '{"a": 1}' })
    await settled()
    expect(await jobs.find(first.id, 'one')).toMatchObject({
      status: 'done',
      startedAt: first.createdAt,
      finishedAt: first.createdAt + 100,
    })
    expect(await jobs.end(first.id)).toEqual({ answer: { json: '{"a": 1}' } })
    expect((await jobs.find(second.id, 'one'))?.status).toBe('running')
    expect(finished).toEqual(['done'])
  })

  it('shows a job to its owner only', async () => {
    const { jobs, submit } = stage()
    const { job } = await submit()
    expect(await jobs.find(job.id, 'two')).toBeUndefined()
  })

  it('keeps why a job failed', async () => {
    const { jobs, submit, started, settled } = stage()
    const { job } = await submit()
    await settled()
    started[0]?.fail(failure('models-unusable'))
    await settled()
    expect((await jobs.find(job.id, 'one'))?.status).toBe('failed')
    expect(await jobs.end(job.id)).toMatchObject({ error: { code: 'models-unusable' } })
  })

  it('gives a job its time from its start on, and ends it with that', async () => {
    const { clock, jobs, submit, started, settled } = stage()
    const { job } = await submit()
    await settled()
    expect(started[0]?.call.context).toMatchObject({ deadlineAt: clock.now() + 5_000, wantsEvents: true })
    await clock.advance(5_000)
    await settled()
    expect(await jobs.end(job.id)).toMatchObject({ error: { code: 'deadline-exceeded' } })
  })

  it('cancels what runs and what waits; what is over stays as it is', async () => {
    const { jobs, submit, started, finished, settled } = stage({ concurrency: 1 })
    const [running, waiting] = [(await submit()).job, (await submit()).job]
    await settled()
    expect((await jobs.cancel(waiting.id))?.status).toBe('cancelled')
    expect((await jobs.cancel(running.id))?.status).toBe('cancelled')
    await settled()
    expect(started).toHaveLength(1)
    expect(started[0]?.signal.aborted).toBe(true)
    expect(finished).toEqual(['cancelled', 'cancelled'])
    const { job } = await submit()
    await settled()
    started[1]?.end({ json: '{}' })
    await settled()
    expect((await jobs.cancel(job.id))?.status).toBe('done')
  })

  it('refuses what would wait behind too many, and frees its key', async () => {
    const { submit, started, settled } = stage({ concurrency: 1, maxWaiting: 1 })
    await submit()
    await submit()
    await expect(submit('{}', 'k')).rejects.toMatchObject({ code: 'overloaded', extras: { retryAfterMs: 5_000 } })
    await settled()
    started[0]?.end({ json: '{}' })
    await settled()
    expect((await submit('{"other":1}', 'k')).isReplay).toBe(false)
  })

  it('tells a late reader everything from the beginning, and an early one as it happens', async () => {
    const { clock, jobs, submit, started, settled } = stage()
    const { job } = await submit()
    await settled()
    const early: string[] = []
    const reading = (async () => {
      for await (const [name] of jobs.events(job.id, new AbortController().signal)) early.push(name)
    })()
    started[0]?.emit({ name: 'compaction_start', data: { reason: 'manual' } })
    await clock.advance(50)
    await settled()
    expect(early).toEqual(['compaction_start'])
    started[0]?.emit({ name: 'summary', data: { kind: 'history' } })
    started[0]?.end({ json: '{}' })
    await reading
    expect(early).toEqual(['compaction_start', 'summary'])
    const late: unknown[] = []
    for await (const event of jobs.events(job.id, new AbortController().signal)) late.push(event)
    expect(late).toEqual([
      ['compaction_start', '{"reason":"manual"}'],
      ['summary', '{"kind":"history"}'],
    ])
    expect((await jobs.find(job.id, 'one'))?.progress).toEqual({
      stage: 'summary',
      events: 2,
      attempts: 0,
      summaries: 1,
    })
  })

  it('waits for the end, and no longer than it is told', async () => {
    const { clock, jobs, submit, started, settled } = stage()
    const { job } = await submit()
    await settled()
    const never = new AbortController().signal
    const short = jobs.settled(job.id, 1_000, never)
    await clock.advance(1_000)
    expect((await short)?.status).toBe('running')
    const long = jobs.settled(job.id, 1_000, never)
    started[0]?.end({ json: '{}' })
    expect((await long)?.status).toBe('done')
  })

  it('forgets a job and its key after the ttl', async () => {
    const { clock, jobs, submit, started, settled } = stage({ ttlMs: 1_000 })
    const { job } = await submit('{}', 'k')
    await settled()
    started[0]?.end({ json: '{}' })
    await settled()
    await clock.advance(1_001)
    expect(await jobs.find(job.id, 'one')).toBeUndefined()
    expect((await submit('{}', 'k')).isReplay).toBe(false)
  })
})

describe('runJob', () => {
  it.each<[string, boolean, JobStatus, readonly string[]]>([
    ['of which its replica told nobody, for it died', true, 'done', ['done']],
    ['that had failed there', true, 'failed', ['failed']],
    ['that was cancelled: who did it has told', true, 'cancelled', []],
    ['that nobody left', false, 'done', []],
  ])('tells of the end of a job %s', async (_what, isAgain, status, told) => {
    const clock = virtualClock()
    const store = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 1_000_000 })
    await store.create(
      { ...SUBMISSION, id: 'j', requestId: 'r', status: 'queued', createdAt: 0 },
      { call: compactCall('{}'), timeoutMs: 1_000 },
    )
    if (!isOver(status)) throw new RangeError('It is over')
    await store.finish('j', { status, finishedAt: 1 })
    const heard: string[] = []
    const options: JobRunnerOptions = {
      store,
      clock,
      run: () => Promise.reject(new RangeError('It is over')),
      foreseen: () => new RecapdError('internal', 'A fault.'),
      onFinished: async (_id, how) => void heard.push(how),
    }
    expect(await runJob('j', isAgain, options)).toBe('over')
    expect(heard).toEqual(told)
  })
})

describe('an Idempotency-Key', () => {
  it('another replica has claimed leads to its job, although that is written down a moment later', async () => {
    let isThere = false
    const { clock, submit, started } = stage({
      around: (store) => ({ ...store, read: async (id) => (isThere ? store.read(id) : undefined) }),
    })
    const first = await submit('{}', 'k')
    const again = submit('{}', 'k')
    await clock.advance(500)
    isThere = true
    await clock.advance(100)
    expect(await again).toMatchObject({ isReplay: true, job: { id: first.job.id } })
    expect(started).toHaveLength(1)
  })

  it('stays one job where the replica that claimed it died before it wrote that down, or was only slow', async () => {
    const { clock, submit, started } = stage({ around: (store) => ({ ...store, read: async () => undefined }) })
    const first = await submit('{}', 'k')
    const again = submit('{}', 'k')
    await clock.advance(2_100)
    expect(await again).toMatchObject({ isReplay: true, job: { id: first.job.id } })
    expect(started).toHaveLength(1)
  })

  it('leads into the line a job that its replica wrote down and died before anybody was told to run it', async () => {
    const restored: string[] = []
    const store = await leftOutOfLine('k')
    const clock = virtualClock()
    const queue = { ...memoryQueue({ concurrency: 1, maxWaiting: 1, run: async () => 'over' as const }) }
    const jobs = createJobs({
      store,
      queue: { ...queue, restore: async (id) => void restored.push(id) },
      clock,
      isRetryable: () => false,
      onCancelled: async () => {},
      close: store.close,
    })
    const { job, isReplay } = await jobs.submit({ ...SUBMISSION, call: compactCall('{}'), idempotencyKey: 'k' })
    expect(isReplay).toBe(true)
    expect(restored).toEqual([job.id])
    await store.begin(job.id, 1, false)
    await store.finish(job.id, { status: 'done', end: { answer: { json: '{}' } }, finishedAt: 2 })
    await jobs.submit({ ...SUBMISSION, call: compactCall('{}'), idempotencyKey: 'k' })
    expect(restored).toEqual([job.id])
  })

  it('is free for any request after a failure that may pass, whoever ran it has died since or not', async () => {
    const { submit, started, settled } = stage()
    await submit('{}', 'k')
    await settled()
    await expect(submit('{"other":1}', 'k')).rejects.toMatchObject({ code: 'idempotency-mismatch' })
    started[0]?.fail(failure('models-failed'))
    await settled()
    expect((await submit('{"other":1}', 'k')).isReplay).toBe(false)
  })

  it('is freed by nobody but the job that holds it', async () => {
    const store = memoryJobStore({ clock: virtualClock(), ttlMs: 60_000, maxBytes: 1_000 })
    const held = { id: 'ours', digest: 'd' }
    await store.create(
      { id: 'ours', owner: 'one', path: '/compact', requestId: 'r', status: 'queued', createdAt: 0 },
      { call: compactCall('{}'), timeoutMs: 1_000 },
    )
    await store.claim('k', held)
    await store.forget('k', 'theirs')
    expect(await store.claim('k', { id: 'new', digest: 'd' })).toEqual(held)
    await store.forget('k', 'ours')
    expect(await store.claim('k', { id: 'new', digest: 'd' })).toMatchObject({ id: 'new' })
  })

  it('leads to the same job for the same body, for nobody but its caller', async () => {
    const { submit } = stage()
    const first = await submit('{}', 'k')
    expect(await submit('{}', 'k')).toMatchObject({ isReplay: true, job: { id: first.job.id } })
    expect((await submit('{}', 'k', 'two')).isReplay).toBe(false)
    await expect(submit('{"other":1}', 'k')).rejects.toMatchObject({ code: 'idempotency-mismatch' })
  })

  it.each([
    ['a failure that may pass', 'models-failed', false],
    ['a failure that stays', 'models-unusable', true],
  ] as const)('remembers %s: %s → %s', async (_what, code, isReplay) => {
    const { submit, started, settled } = stage()
    await submit('{}', 'k')
    await settled()
    started[0]?.fail(failure(code))
    await settled()
    expect((await submit('{}', 'k')).isReplay).toBe(isReplay)
  })

  it('begins anew after a cancelled job', async () => {
    const { jobs, submit } = stage()
    const { job } = await submit('{}', 'k')
    await jobs.cancel(job.id)
    expect((await submit('{}', 'k')).isReplay).toBe(false)
  })
})
