import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeProvider } from '../../support/fake-provider.ts'
import { type RedisPlace, redisCluster, redisOverTls, redisWithSentinel } from '../../support/redis-places.ts'
import { redisIsInstalled } from '../../support/redis-server.ts'
import { serviceOfTest } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { client } from '../chaos/client.ts'
import { cacheOf, summaryOf } from './shared-redis.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('NOT RUN: openssl is not installed; redis.tls is not tried against a real Redis')

async function replica({ redis }: Pick<RedisPlace, 'redis'>, providerUrl: string) {
  const service = await serviceOfTest({
    providers: { alpha: { baseUrl: providerUrl, apiKeys: ['k'], models: { small: { contextWindow: 128_000 } } } },
    candidates: ['alpha/small'],
    redis: { timeoutMs: 2_000, ...redis },
    jobs: { secret: 'the secret of jobs in a test of places' },
  })
  const agent = client(service.url)
  onTestFinished(agent.close)
  const isUp = async () => (await service.metric('recapd_redis_up')) === 1
  const ask = (prompt: string, headers = {}) => agent.post('/summarize', { systemPrompt: 'S.', prompt }, headers)
  return { ...agent, service, isUp, ask }
}

async function twoReplicas(place: RedisPlace) {
  const provider = await fakeProvider([{ text: 'Made once.' }])
  onTestFinished(provider.close)
  const sides = await Promise.all([replica(place, provider.url), replica(place, provider.url)])
  const [one, two] = sides
  for (const side of sides) await waitUntil(side.isUp, 'the replica has Redis')
  return { provider, one, two }
}

type Replica = Awaited<ReturnType<typeof replica>>

/** An answer that was kept, and a job of the one that the other tells of. */
async function expectShared({ one, two, what }: { one: Replica; two: Replica; what: string }): Promise<void> {
  expect(summaryOf(await one.ask(`What was ${what}?`))).toBe('Made once.')
  expect(cacheOf(await two.ask(`What was ${what}?`))).toBe('hit')
  const { status, headers } = await one.ask(`And after ${what}?`, { prefer: 'respond-async' })
  expect(status).toBe(202)
  const result = await waitUntil(async () => {
    const answer = await two.get(String(headers.location))
    return answer.status === 200 ? JSON.parse(answer.body).result : undefined
  }, 'the job is over')
  expect(result.summary).toBe('Made once.')
}

describe.skipIf(!redisIsInstalled)('redis', { timeout: 60_000 }, () => {
  it('cluster: two replicas share answers and jobs', async () => {
    const { one, two } = await twoReplicas(await redisCluster())
    await expectShared({ one, two, what: 'made' })
  })

  it('cluster: a node of one without redis.cluster is told in one warning', async () => {
    const place = await redisCluster()
    const { service } = await replica({ redis: { ...place.redis, cluster: false } }, 'http://127.0.0.1:9/v1')
    await waitUntil(() => service.logs().includes('set redis.cluster: true'), 'it is told')
    expect(await service.metric('recapd_redis_up')).toBe(0)
  })

  it.skipIf(!hasOpenssl)('tls: two replicas share answers and jobs', async () => {
    const { one, two } = await twoReplicas(await redisOverTls())
    await expectShared({ one, two, what: 'made' })
  })

  it.skipIf(!hasOpenssl)('tls: a certificate of nobody known is refused, and told', async () => {
    const { redis } = await redisOverTls()
    const { service } = await replica({ redis: { ...redis, tls: {} } }, 'http://127.0.0.1:9/v1')
    await waitUntil(() => service.logs().includes('DEPTH_ZERO_SELF_SIGNED_CERT'), 'it is told')
    expect(await service.metric('recapd_redis_up')).toBe(0)
  })

  it('sentinels: two replicas share answers and jobs, with the next main server, too', async () => {
    const place = await redisWithSentinel()
    const { one, two } = await twoReplicas(place)
    await expectShared({ one, two, what: 'made' })
    await place.kill()
    await waitUntil(async () => !(await one.isUp()) || !(await two.isUp()), 'its end is noticed')
    for (const side of [one, two]) await waitUntil(side.isUp, 'the replica has the next one', 30_000)
    await expectShared({ one, two, what: 'made after that' })
  })
})
