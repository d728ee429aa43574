import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { JobRecord } from '../../../src/jobs/job.ts'
import { createJobs } from '../../../src/jobs/jobs.ts'
import { type RedisJobStore, redisJobStore } from '../../../src/jobs/replicas/redis-store.ts'
import { systemClock } from '../../../src/models/clock.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { redisLink } from '../../../src/models/stores/redis-link.ts'
import { createSealer } from '../../../src/models/stores/sealer.ts'
import type { WorkCall } from '../../../src/requests/call.ts'
import { redisIsInstalled } from '../../support/redis-server.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type SharedRedis, sharedRedis } from './shared-redis.ts'

const SECRET = 'the secret of jobs that were left'
const BODY = JSON.stringify({ systemPrompt: 'S.', prompt: 'What was left?' })
const TTL_MS = 60_000
const CALL: WorkCall = {
  endpoint: 'summarize',
  mediaType: 'json',
  bytes: Buffer.from(BODY),
  query: {},
  context: {
    requestId: 'of-the-dead',
    callerName: 'anonymous',
    deadlineAt: 0,
    noCache: false,
    wantsEvents: false,
    readWarnings: [],
  },
}
const RECORD: JobRecord = {
  id: '00000000-0000-4000-8000-000000000000',
  owner: 'anonymous',
  path: '/summarize',
  requestId: 'of-the-dead',
  status: 'queued',
  createdAt: 1,
}

describe.skipIf(!redisIsInstalled)('redisJobStore', () => {
  let shared: SharedRedis
  beforeAll(async () => {
    shared = await sharedRedis()
  })
  afterEach(() => shared.empty())
  afterAll(() => shared?.stop())

  /** As it is in a replica that this test plays. */
  async function storeOf(stalledMs = 3_000): Promise<RedisJobStore> {
    const link = redisLink({
      url: shared.server.url,
      prefix: 'recapd:',
      cluster: false,
      timeoutMs: 10_000,
      clock: systemClock,
      observer: silentObserver,
      warn: () => {},
    })
    onTestFinished(() => link.close())
    await waitUntil(() => link.isUp(), 'the store has Redis')
    return redisJobStore({ link, sealer: createSealer([SECRET]), ttlMs: TTL_MS, stalledMs })
  }

  it('has a job that nobody was told to run, for its replica died: another one runs it when it is asked again', {
    timeout: 30_000,
  }, async () => {
    const { alpha, one } = await shared.stage([{ text: 'It was left.' }], { jobs: { secret: SECRET } })
    const redis = await storeOf()
    // All that a replica does before the job is in the line; there it is killed.
    const dying = createJobs({
      store: {
        ...redis,
        create: async (record, task) => void (await redis.create(record, task)),
        claim: async (name, claim) => (await redis.claim(name, claim)) ?? claim,
        read: async (id) => {
          const there = await redis.read(id)
          return there === 'gone' ? undefined : there
        },
        begin: async () => 'over',
        note: async () => {},
        events: async () => [],
        finish: async () => false,
        close: async () => {},
      },
      queue: {
        add: async () => {},
        restore: async () => {},
        remove: async () => {},
        close: async () => {},
        ownCount: () => 0,
        counts: async () => ({ queued: 0, running: 0 }),
      },
      clock: systemClock,
      isRetryable: () => false,
      onCancelled: async () => {},
      close: async () => {},
    })
    const { job } = await dying.submit({
      call: CALL,
      path: '/summarize',
      owner: 'anonymous',
      timeoutMs: 20_000,
      idempotencyKey: 'k-left',
      retainBody: () => () => {},
    })
    const answer = await one.post('/summarize', JSON.parse(BODY), { 'idempotency-key': 'k-left' })
    expect([answer.status, JSON.parse(answer.body).summary]).toEqual([200, 'It was left.'])
    expect(answer.headers['idempotency-replayed']).toBe('true')
    expect(JSON.parse((await one.get(`/jobs/${job.id}`)).body).job.status).toBe('done')
    expect(alpha.requests).toHaveLength(1)
  })

  it('writes a job down at once with its end, and a second time changes nothing of it', async () => {
    const redis = await storeOf()
    await redis.create(RECORD, { call: CALL, timeoutMs: 1_000 })
    const keys = await shared.redis.keys('recapd:job:*')
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      const leftMs = await shared.redis.pttl(key)
      expect(leftMs, key).toBeGreaterThan(0)
      expect(leftMs, key).toBeLessThanOrEqual(TTL_MS)
    }
    expect(await redis.begin(RECORD.id, 2, false)).toBe('begun')
    await redis.create(RECORD, undefined)
    expect(await redis.read(RECORD.id)).toMatchObject({ status: 'running', startedAt: 2 })
    expect((await redis.task(RECORD.id))?.call.bytes).toEqual(CALL.bytes)
  })

  it('takes no heartbeat for lost while Redis is only just back', async () => {
    const redis = await storeOf()
    await redis.create(RECORD, { call: CALL, timeoutMs: 1_000 })
    expect(await redis.begin(RECORD.id, 2, true)).toBe('begun')
    await shared.redis.del(`recapd:job:{${RECORD.id}}:beat`)
    expect(await redis.begin(RECORD.id, 3, true)).toBe('running')
    expect(await redis.begin(RECORD.id, 3, false)).toBe('begun')
  })

  it('lets nobody begin a job of a replica that is alive, also where its heartbeat ran out while Redis was away', async () => {
    const redis = await storeOf()
    await redis.create(RECORD, { call: CALL, timeoutMs: 1_000 })
    await redis.begin(RECORD.id, 2, false)
    await shared.redis.del(`recapd:job:{${RECORD.id}}:beat`)
    await redis.beat([RECORD.id])
    expect(await redis.begin(RECORD.id, 3, false)).toBe('running')
    expect(await shared.redis.pttl(`recapd:job:{${RECORD.id}}:beat`)).toBeLessThanOrEqual(3_000)
  })
})
