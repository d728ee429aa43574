import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { type FakeProvider, fakeProvider, type Script } from '../../support/fake-provider.ts'
import { type RedisServer, redisServer } from '../../support/redis-server.ts'
import { type ServiceProcess, serviceOfTest } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type Client, type ClientAnswer, client } from '../chaos/client.ts'

export interface Replica {
  readonly service: ServiceProcess
  summarize(prompt: string, signal?: AbortSignal): Promise<ClientAnswer>
  readonly post: Client['post']
  readonly get: Client['get']
}

export interface TwoReplicas {
  readonly one: Replica
  readonly two: Replica
  /** Plays the script. */
  readonly alpha: FakeProvider
  /** Stands behind alpha and always answers. */
  readonly beta: FakeProvider
}

/** A Redis of our own, and real replicas of the service that share it. */
export interface SharedRedis {
  readonly server: RedisServer
  /** A look from outside. */
  readonly redis: Redis
  /** For the running test; `config` is laid over that of both. */
  stage(script: Script, config?: object): Promise<TwoReplicas>
  /** Empty again, for the next test. */
  empty(): Promise<void>
  stop(): Promise<void>
}

/** So long that a busy machine does not make a Redis that is well look dead. */
const PATIENT_MS = 10_000

export const summaryOf = ({ body }: ClientAnswer): string => JSON.parse(body).summary
export const cacheOf = ({ headers }: ClientAnswer) => headers['x-recapd-cache']

export async function sharedRedis(): Promise<SharedRedis> {
  const server = await redisServer()
  const redis = new Redis(server.url)
  redis.on('error', () => {})
  return {
    server,
    redis,
    async stage(script, config = {}) {
      const alpha = await fakeProvider(script)
      const beta = await fakeProvider([{ text: 'From beta.' }])
      onTestFinished(async () => {
        await Promise.all([alpha.close(), beta.close()])
      })
      const own = { ...configFor({ alpha, beta }), redis: { url: server.url, timeoutMs: PATIENT_MS }, ...config }
      const [one, two] = await Promise.all([replica(own), replica(own)])
      const listeners = async () => Number((await redis.pubsub('NUMSUB', 'recapd:0:marks-changed'))[1])
      await waitUntil(async () => (await listeners()) === 2, 'both hear of marks')
      return { alpha, beta, one, two }
    },
    async empty() {
      await waitUntil(() => redis.status === 'ready', 'Redis is reachable')
      await redis.flushall()
    },
    async stop() {
      redis.disconnect()
      await server.stop()
    },
  }
}

function configFor(providers: Readonly<Record<string, FakeProvider>>): object {
  const models = { small: { contextWindow: 128_000, maxOutputTokens: 4_000 } }
  const entries = Object.entries(providers).map(([name, { url }]) => [
    name,
    { baseUrl: url, apiKeys: [`sk-of-${name}`], models },
  ])
  return {
    providers: Object.fromEntries(entries),
    candidates: Object.keys(providers).map((name) => `${name}/small`),
    retry: { maxAttempts: 1, maxDelayMs: 1_000 },
    rateLimit: { max: 1_000_000, windowMs: 60_000 },
  }
}

async function replica(config: object): Promise<Replica> {
  const service = await serviceOfTest(config)
  await waitUntil(async () => (await service.metric('recapd_redis_up')) === 1, 'the replica has Redis')
  const agent = client(service.url)
  onTestFinished(agent.close)
  return {
    service,
    post: agent.post,
    get: agent.get,
    summarize: (prompt, signal) => agent.post('/summarize', { systemPrompt: 'You summarise.', prompt }, {}, signal),
  }
}
