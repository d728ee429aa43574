import { expect, it } from 'vitest'
import type { JobRecord } from '../../src/jobs/job.ts'
import { memoryJobStore } from '../../src/jobs/memory-store.ts'
import type { RedisJobStore } from '../../src/jobs/redis-store.ts'
import { sharedJobStore } from '../../src/jobs/shared-store.ts'
import type { WorkCall } from '../../src/requests/call.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const call: WorkCall = {
  endpoint: 'compact',
  mediaType: 'json',
  bytes: Buffer.from('{}'),
  query: {},
  context: { requestId: 'r-1', callerName: 'one', deadlineAt: 0, noCache: false, wantsEvents: false, readWarnings: [] },
}
const record: JobRecord = {
  id: 'j-1',
  owner: 'one',
  path: '/compact',
  requestId: 'r-1',
  status: 'queued',
  createdAt: 0,
}

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
    end: async () => ({ answer: { json: '{"from":"another"}' } }),
  } as unknown as RedisJobStore
  const become = async (status: JobRecord['status']) => {
    if (there !== undefined) there = { ...there, status, finishedAt: 5 }
    for (const listener of listeners) listener()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { redis, become, listeners }
}

it('sharedJobStore keeps the body of a job that another replica runs for no longer than that runs', async () => {
  const { redis, become, listeners } = redisWithAnother()
  const clock = virtualClock()
  const local = memoryJobStore({ clock, ttlMs: 60_000, maxBytes: 10_000 })
  const link = { onUp: () => {} } as never
  const store = sharedJobStore({ link, redis, local, clock, ttlMs: 60_000, onLost: async () => {} })
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
