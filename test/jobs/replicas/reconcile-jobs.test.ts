import { expect, it } from 'vitest'
import type { JobRecord, JobStatus } from '../../../src/jobs/job.ts'
import { type MemoryJobStore, memoryJobStore } from '../../../src/jobs/memory-store.ts'
import { reconcileJobs } from '../../../src/jobs/replicas/reconcile-jobs.ts'
import type { RedisJobStore } from '../../../src/jobs/replicas/redis-store.ts'
import { compactCall } from '../../support/compact-call.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const call = compactCall()
const recordOf = (id: string, status: JobStatus): JobRecord => ({
  id,
  owner: 'one',
  path: '/compact',
  requestId: 'r-1',
  status,
  createdAt: 0,
})
const END = { answer: { json: '{}' } }

async function keep(local: MemoryJobStore, id: string, status: JobStatus): Promise<void> {
  await local.create(recordOf(id, 'queued'), { call, timeoutMs: 1_000 })
  if (status !== 'queued') await local.begin(id, 1, false)
  if (status === 'done') await local.finish(id, { status, end: END, finishedAt: 2 })
}

/** What Redis holds, and what it is told beside questions. */
function redisWith(there: Readonly<Record<string, JobStatus>>) {
  const told: string[] = []
  const tell = (what: string) => async (id: string) => void told.push(`${what} ${id}`)
  const redis = {
    read: async (id: string) => (there[id] === undefined ? 'gone' : recordOf(id, there[id])),
    create: async ({ id, status }: JobRecord) => void told.push(`create ${status} ${id}`),
    begin: tell('begin'),
    note: tell('note'),
    finish: tell('finish'),
    end: async () => END,
  } as unknown as RedisJobStore
  return { redis, told, onLost: async (id: string) => void told.push(`line ${id}`) }
}

it.each<[string, JobStatus, JobStatus | undefined, readonly string[], JobStatus]>([
  ['runs here, and Redis is empty', 'running', undefined, ['create running', 'note', 'line'], 'running'],
  ['runs here, and Redis has forgotten its beginning', 'running', 'queued', ['begin', 'note', 'line'], 'running'],
  ['runs here, and Redis knows it', 'running', 'running', ['line'], 'running'],
  ['waits, and Redis is empty', 'queued', undefined, ['create queued', 'note', 'line'], 'queued'],
  ['waits, and Redis knows it: its row may be lost', 'queued', 'queued', ['line'], 'queued'],
  ['was ended by another', 'queued', 'done', [], 'done'],
  ['ended here while Redis was away', 'done', 'running', ['finish'], 'done'],
  ['ended here, and Redis is empty', 'done', undefined, ['create running', 'note', 'finish'], 'done'],
  ['ended here, and Redis knows it', 'done', 'done', [], 'done'],
])('reconcileJobs of a job that %s', async (_what, here, there, told, after) => {
  const clock = virtualClock()
  const local = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 10_000 })
  await keep(local, 'j', here)
  const stage = redisWith(there === undefined ? {} : { j: there })
  const runningHere = new Set(here === 'running' ? ['j'] : [])
  const work = reconcileJobs({ ...stage, local, clock, runningHere }, new AbortController().signal)
  await clock.advance(0)
  const first = [...new Set(stage.told)]
  await clock.advance(2_000)
  await work
  // What waits is put into the line only when the others have said what they run.
  expect(first).toEqual(here === 'queued' ? [] : told.map((what) => `${what} j`))
  expect([...new Set(stage.told)]).toEqual(told.map((what) => `${what} j`))
  expect(local.kept('j')?.record.status).toBe(after)
})

it('reconcileJobs tells the last ends first, and what runs before all of them', async () => {
  const clock = virtualClock()
  const local = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 1_000_000 })
  for (let i = 0; i < 100; i += 1) await keep(local, `done-${i}`, 'done')
  await keep(local, 'now', 'running')
  const { redis, told, onLost } = redisWith({})
  const signal = new AbortController().signal
  const work = reconcileJobs({ redis, onLost, local, clock, runningHere: new Set(['now']) }, signal)
  await clock.advance(2_000)
  await work
  const finished = told.filter((what) => what.startsWith('finish'))
  expect(told.indexOf('line now')).toBeLessThan(told.indexOf('finish done-99'))
  expect([finished.length, finished[0], finished.at(-1)]).toEqual([100, 'finish done-99', 'finish done-0'])
})
