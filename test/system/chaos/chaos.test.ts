import { describe, expect, it, onTestFinished } from 'vitest'
import { startServiceProcess } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type End, ordersOf, runOrders } from './chaos-run.ts'
import { client } from './client.ts'
import { FAULTS } from './faults.ts'
import { BAD_KEY_NAMES, type FaultyUpstream, faultyUpstream, KEYS } from './faulty-upstream.ts'

const DECLARED_TOKENS = 16_000
const REAL_TOKENS = 13_000

interface Weather {
  readonly seed: number
  readonly share: number
  readonly faults: readonly string[]
  readonly windowTokens: number
  /** How long one try may take, and may be silent, in ms. */
  readonly attemptMs: number
  readonly firstTokenMs: number
}

/** Three faulty providers in front of a real process, with clocks short enough for a test. */
async function stage({ attemptMs, firstTokenMs, ...weather }: Weather) {
  const upstreams = await Promise.all(['alpha', 'beta', 'gamma'].map((name) => faultyUpstream({ name, ...weather })))
  const [alpha, beta, gamma] = upstreams
  const provider = (upstream: FaultyUpstream | undefined) => ({
    baseUrl: upstream?.url,
    apiKeys: KEYS,
    maxConcurrency: 48,
    queue: { maxSize: 64, maxWaitMs: 30_000 },
    models: { small: { contextWindow: DECLARED_TOKENS, maxOutputTokens: 2_000 } },
  })
  const service = await startServiceProcess(
    {
      providers: { alpha: provider(alpha), beta: provider(beta), gamma: provider(gamma) },
      candidates: ['alpha/small', 'beta/small', 'gamma/small'],
      timeouts: { requestMs: 60_000, attemptMs, firstTokenMs, connectMs: 1_000 },
      retry: { maxAttempts: 3, baseDelayMs: 5, maxDelayMs: 200, budgetRatio: 0.2 },
      breaker: { failureThreshold: 5, cooldownMs: 300 },
      cache: { ttlMs: 60_000, maxBytes: 200_000 },
      rateLimit: { max: 1_000_000, windowMs: 60_000 },
    },
    { probe: true },
  )
  const agent = client(service.url)
  onTestFinished(async () => {
    agent.close()
    await service.stop()
    await Promise.all(upstreams.map((upstream) => upstream.close()))
  })
  /** What the process holds once nothing is in flight; idle connections to providers are kept for some seconds. */
  const atRest = async () => {
    await waitUntil(async () => (await service.metric('recapd_inflight_requests')) === 0, 'nothing is in flight')
    await waitUntil(() => upstreams.every((upstream) => upstream.connections() === 0), 'connections are closed')
    return service.state()
  }
  return {
    service,
    upstreams,
    agent,
    atRest,
    calls: () => upstreams.reduce((sum, upstream) => sum + upstream.calls(), 0),
  }
}

/** Without what comes and goes with every line of the log. */
const held = (resources: readonly string[]) => resources.filter((name) => name !== 'FSReqCallback').toSorted()
const problemsOf = (ends: readonly End[]) => ends.filter((end) => typeof end === 'object')

describe('the whole service in foul weather', () => {
  it('loses none of 2000 requests, makes at most 1.3 calls for each and keeps nothing', {
    timeout: 90_000,
  }, async () => {
    const faults = Object.keys(FAULTS)
    const { service, upstreams, agent, atRest, calls } = await stage({
      seed: 7,
      share: 0.1,
      faults,
      windowTokens: REAL_TOKENS,
      // Far longer than this process, which plays the providers, may stand still: else all that is in flight times out at once, the
      // breaker opens, and whoever is refused by the other two as well has no answer.
      attemptMs: 8_000,
      firstTokenMs: 5_000,
    })
    // The threads for large bodies come with the first one and stay.
    const [large] = ordersOf(7, 2_000).filter(({ body }) => body.prompt.length > 1_048_576)
    const first = client(service.url)
    await runOrders(first, large === undefined ? [] : [{ ...large, leavesAfterMs: undefined }])
    first.close()
    const before = await atRest()
    const orders = ordersOf(7, 2_000)
    const ends = await runOrders(agent, orders)

    expect(ends).toHaveLength(2_000)
    expect(problemsOf(ends)).toEqual([])
    // The parts of folded prompts count against us, answers out of the cache for us.
    expect(calls()).toBeLessThanOrEqual(1.3 * ends.length)
    for (const fault of faults) {
      const played = upstreams.reduce((sum, upstream) => sum + (upstream.played.get(fault) ?? 0), 0)
      expect({ fault, played }).not.toEqual({ fault, played: 0 })
    }
    for (const key of BAD_KEY_NAMES) {
      // Each rests after its first failure: only calls that were under way by then can have used it as well.
      for (const { keys } of upstreams) expect(keys.get(key)).toBeLessThanOrEqual(48)
    }

    agent.close()
    const after = await atRest()
    expect(await service.metric('recapd_queue_depth')).toBe(0)
    expect(await service.metric('recapd_inflight_body_bytes')).toBe(0)
    expect(await service.metric('recapd_http_requests_total', { status: '500' })).toBe(0)
    expect(service.logs()).not.toContain('internal fault')
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors)
    expect(held(after.resources)).toEqual(held(before.resources))
    expect(after.warnings.filter((name) => name !== 'ExperimentalWarning')).toEqual([])
    // The prompts alone weighed some 20 MB, four times that as they passed through; the cache may hold 0.2 MB, and code that
    // is loaded with its first use some MB.
    expect(after.heapUsed - before.heapUsed).toBeLessThan(8_000_000)
  })

  it('loses none where two calls in five fail, and blames nobody wrongly', { timeout: 90_000 }, async () => {
    const { service, agent } = await stage({
      seed: 11,
      share: 0.4,
      faults: Object.keys(FAULTS),
      windowTokens: DECLARED_TOKENS,
      attemptMs: 600,
      firstTokenMs: 400,
    })
    const ends = await runOrders(agent, ordersOf(11, 1_000))
    expect(ends).toHaveLength(1_000)
    expect(ends.filter((end) => end === 'summary').length).toBeGreaterThan(500)
    expect(await service.metric('recapd_http_requests_total', { status: '500' })).toBe(0)
  })
})
