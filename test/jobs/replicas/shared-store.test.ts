import { expect, it, onTestFinished, vi } from 'vitest'
import type { JobRecord } from '../../../src/jobs/job.ts'
import type { Claim } from '../../../src/jobs/job-store.ts'
import { memoryJobStore } from '../../../src/jobs/memory-store.ts'
import type { RedisJobStore } from '../../../src/jobs/replicas/redis-store.ts'
import { sharedJobStore } from '../../../src/jobs/replicas/shared-store.ts'
import { compactCall } from '../../support/compact-call.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const call = compactCall()
const record: JobRecord = {
  id: 'j-1',
  owner: 'one',
  path: '/compact',
  requestId: 'r-1',
  status: 'queued',
  createdAt: 0,
}

const UP = { isUp: () => true, usable: async () => {} }

/** A Redis that holds one job, which another replica works on. */
function redisWithAnother() {
  let there: JobRecord | undefined
  const listeners = new Set<() => void>()
  const redis = {
    onChange(_id: string, listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    create: async (made: JobRecord) => {
      there = made
      return true
    },
    read: async () => there,
    keep: async () => {},
    end: async () => ({ answer: { json: '{"from":"another"}' } }),
  } as unknown as RedisJobStore
  const end = (status: JobRecord['status']) => {
    if (there !== undefined) there = { ...there, status, finishedAt: 5 }
  }
  const become = async (status: JobRecord['status']) => {
    end(status)
    for (const listener of listeners) listener()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { redis, become, end, listeners }
}

it('sharedJobStore tells a Redis that came back empty of its jobs and of the keys they hold', async () => {
  const told: string[] = []
  const redis = {
    onChange: () => () => {},
    read: async () => 'gone',
    create: async ({ id }: JobRecord) => told.push(`job ${id}`),
    claim: async (name: string, { id, digest }: Claim) => told.push(`claim ${name} ${id} ${digest}`),
    note: async () => true,
    begin: async () => 'begun',
    beat: async () => {},
  } as unknown as RedisJobStore
  const clock = virtualClock()
  const local = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 10_000 })
  const ups: (() => void)[] = []
  const link = { ...UP, onUp: (listener: () => void) => void ups.push(listener) } as never
  const store = sharedJobStore({ link, redis, local, clock, ttlMs: 60_000, stalledMs: 1_000, onLost: async () => {} })
  await store.create(record, { call, timeoutMs: 1_000, claim: { name: 'k', digest: 'd' } })
  await store.begin('j-1', 1, false)
  told.splice(0)
  for (const up of ups) up()
  await clock.advance(0)
  expect(told).toEqual(['job j-1', 'claim k j-1 d'])
  await store.close()
})

it('sharedJobStore keeps the body of a job that another replica runs for no longer than that runs', async () => {
  const { redis, become, listeners } = redisWithAnother()
  const clock = virtualClock()
  const local = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 10_000 })
  const link = { ...UP, onUp: () => {} } as never
  const store = sharedJobStore({ link, redis, local, clock, ttlMs: 60_000, stalledMs: 1_000, onLost: async () => {} })
  const retained = { now: 0 }
  const retainBody = () => {
    retained.now += 1
    return () => {
      retained.now -= 1
    }
  }
  await store.create(record, { call, timeoutMs: 1_000, retainBody })
  await become('running')
  expect(retained.now).toBe(1)
  await become('done')
  expect(retained.now).toBe(0)
  expect(local.kept('j-1')?.end).toEqual({ answer: { json: '{"from":"another"}' } })
  expect(listeners.size).toBe(0)
  await store.close()
})

it('sharedJobStore puts what waits into the line again from time to time, and hears of an end it was not told of', async () => {
  const { redis, end, listeners } = redisWithAnother()
  const lines: string[] = []
  const local = memoryJobStore({ clock: virtualClock(), ttlMs: 600, maxBytes: 10_000 })
  const link = { ...UP, onUp: () => {} } as never
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const onLost = async (id: string) => void lines.push(id)
  const store = sharedJobStore({ link, redis, local, clock: virtualClock(), ttlMs: 600, stalledMs: 1_000, onLost })
  await store.create(record, { call, timeoutMs: 1_000 })
  await vi.advanceTimersByTimeAsync(210)
  expect(lines).toEqual(['j-1'])
  end('done')
  await vi.advanceTimersByTimeAsync(210)
  expect(lines).toEqual(['j-1'])
  expect([local.kept('j-1')?.record.status, listeners.size]).toEqual(['done', 0])
  await store.close()
})

it('sharedJobStore listens no longer to a job that ended here while Redis was away', async () => {
  const { redis, listeners } = redisWithAnother()
  const clock = virtualClock()
  const local = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 10_000 })
  const link = { isUp: () => false, usable: async () => {}, onUp: () => {} } as never
  const store = sharedJobStore({ link, redis, local, clock, ttlMs: 60_000, stalledMs: 1_000, onLost: async () => {} })
  await store.create(record, { call, timeoutMs: 1_000 })
  expect(listeners.size).toBe(1)
  await store.finish('j-1', { status: 'cancelled', finishedAt: 5 })
  expect(listeners.size).toBe(0)
  await store.close()
})
