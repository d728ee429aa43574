import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type RedisServer, redisServer } from '../../support/redis-server.ts'
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type Client, client } from './client.ts'
import { FAULTS } from './faults.ts'
import { type FaultyUpstream, faultyUpstream, KEYS } from './faulty-upstream.ts'

export type Victim = 'replica 0' | 'replica 1' | 'redis'

export interface Fall {
  readonly victim: Victim
  readonly at: number
}

/** Two replicas that share a Redis, behind them four providers that err. */
export interface ReplicaPair {
  /** The replica of that number, or who stands in its place now. */
  clientOf(index: number): Client
  /** Kills it with −9 and starts it again; before that waits until the last victim is there again: one falls at a time. */
  strike(victim: Victim): Promise<void>
  /** Waits until everybody is there. */
  whole(): Promise<void>
  /** Who was killed when, in order. */
  readonly falls: readonly Fall[]
  readonly upstreams: readonly FaultyUpstream[]
  /** What all have written, also those that were killed. */
  logs(): string
}

interface Replica {
  service: ServiceProcess
  client: Client
}

/** After Redis is back; one victim at a time means that the last fall is made good. */
const TOLD_WITHIN_MS = 3_000
const PROVIDERS = ['alpha', 'beta', 'gamma', 'delta']
const WINDOW_TOKENS = 16_000
const SECRET = 'the secret of jobs in a test of chaos'

/** For the running test. */
export async function replicaPair({ seed, share }: { readonly seed: number; readonly share: number }) {
  const redis = await redisServer({ writesDown: true })
  onTestFinished(redis.stop)
  const weather = { seed, share, faults: Object.keys(FAULTS), windowTokens: WINDOW_TOKENS, thinksMs: 100 }
  const upstreams = await Promise.all(PROVIDERS.map((name) => faultyUpstream({ name, ...weather })))
  onTestFinished(async () => {
    await Promise.all(upstreams.map((upstream) => upstream.close()))
  })
  const config = configFor(upstreams, redis)
  const replicas = await Promise.all([startReplica(config), startReplica(config)])
  onTestFinished(async () => {
    await Promise.all(replicas.map(stopReplica))
  })
  return pairOf({ replicas, redis, config, upstreams })
}

interface Parts {
  readonly replicas: Replica[]
  readonly redis: RedisServer
  readonly config: object
  readonly upstreams: readonly FaultyUpstream[]
}

function pairOf({ replicas, redis, config, upstreams }: Parts): ReplicaPair {
  const falls: Fall[] = []
  const told: string[] = []
  let back = Promise.resolve()
  const at = (index: number): Replica => {
    const replica = replicas[index % replicas.length]
    if (replica === undefined) throw new RangeError('There are two replicas')
    return replica
  }
  const fall = async (victim: Victim) => {
    falls.push({ victim, at: performance.now() })
    if (victim === 'redis') {
      await redis.kill()
      await redis.start()
    } else {
      const index = Number(victim.at(-1))
      await stopReplica(at(index))
      told.push(at(index).service.logs())
      replicas[index] = await startReplica(config)
    }
    await Promise.all(replicas.map(hasRedis))
    // Until then they tell it what they took by themselves, which nobody else knows.
    if (victim === 'redis') await sleep(TOLD_WITHIN_MS)
  }
  return {
    upstreams,
    falls,
    clientOf: (index) => at(index).client,
    async strike(victim) {
      // Several may wait for the same end: each falls after the one before it.
      const before = back
      back = before.then(() => fall(victim))
      // Whoever falls next, and the end of the run, hear of it.
      back.catch(() => {})
      await before
    },
    whole: () => back,
    logs: () => [...told, ...replicas.map(({ service }) => service.logs())].join(''),
  }
}

const hasRedis = ({ service }: Replica) =>
  waitUntil(async () => (await service.metric('recapd_redis_up')) === 1, 'the replica has Redis')

async function startReplica(config: object): Promise<Replica> {
  const service = await startServiceProcess(config)
  const replica = { service, client: client(service.url) }
  await hasRedis(replica)
  return replica
}

async function stopReplica({ service, client: connections }: Replica): Promise<void> {
  await service.stop()
  connections.close()
}

/** Clocks short enough for a test, and far longer than an answer takes: a slow machine must not make faults of its own. */
function configFor(upstreams: readonly FaultyUpstream[], { url }: RedisServer): object {
  const providers = upstreams.map(({ url: baseUrl }, i) => [
    PROVIDERS[i],
    { baseUrl, apiKeys: KEYS, maxConcurrency: 48, models: { small: { contextWindow: WINDOW_TOKENS } } },
  ])
  return {
    providers: Object.fromEntries(providers),
    candidates: PROVIDERS.map((name) => `${name}/small`),
    timeouts: { requestMs: 60_000, attemptMs: 4_000, firstTokenMs: 2_000, connectMs: 1_000 },
    retry: { maxAttempts: 3, baseDelayMs: 5, maxDelayMs: 200, budgetRatio: 0.2 },
    breaker: { failureThreshold: 5, cooldownMs: 300 },
    rateLimit: { max: 1_000_000, windowMs: 60_000 },
    redis: { url, timeoutMs: 2_000 },
    jobs: { secret: SECRET, stalledMs: 3_000, concurrency: 64, maxWaiting: 1_000 },
  }
}
