import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProxyMetrics } from '../../src/http/faces/proxy/proxy-metrics.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { NO_USAGE } from '../../src/models/model.ts'
import { appOfTest, buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { type Reply, status } from '../support/fake-provider.ts'
import { json, request } from '../support/raw-http.ts'
import { METRIC_CONTRACT } from '../system/deploy/metric-contract.ts'

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line)
    if (match === null) return []
    const labels = Object.fromEntries(
      [...(match[2] ?? '').matchAll(/(\w+)="((?:\\.|[^"\\])*)"/g)].map(([, name, value]) => [name, value]),
    )
    return [{ name: match[1] ?? '', labels, value: Number(match[3]) }]
  })
}

describe('createMetrics', () => {
  it('has the series of the contract with their labels, and no other of ours', async () => {
    const { registry } = createMetrics()
    createProxyMetrics(registry)
    const declared = await registry.getMetricsAsJSON()
    const ours = declared.filter(({ name }) => name.startsWith('recapd_'))
    expect(ours.map(({ name }) => name).sort()).toEqual(Object.keys(METRIC_CONTRACT).sort())
    for (const { name, type } of ours)
      expect(String(type) === 'histogram', `${name} is a histogram`).toBe(METRIC_CONTRACT[name]?.histogram === true)
  })

  it('reaches from 5 ms to 300 s', async () => {
    const metrics = createMetrics()
    metrics.request({ route: '/x', method: 'GET', status: 200, seconds: 1, bodyBytes: undefined })
    const text = await metrics.registry.getSingleMetricAsString('recapd_http_request_duration_seconds')
    const bounds = samplesOf(text).flatMap(({ labels }) => (labels['le'] === undefined ? [] : [labels['le']]))
    expect([bounds[0], bounds.at(-2), bounds.at(-1)]).toEqual(['0.005', '300', '+Inf'])
  })

  it.each([
    ['ok', 0, 1],
    ['server_error', 0, 1],
    ['breaker_open', 0, 0],
    ['queue_full', 0, 0],
  ] as const)('measures an attempt that ended in %s within %i ms: %i', async (outcome, durationMs, count) => {
    const { models, registry } = createMetrics()
    models.attempt({ row: { model: 'a/b', outcome, durationMs }, usage: NO_USAGE, asker: {} })
    const text = await registry.getSingleMetricAsString('recapd_model_attempt_duration_seconds')
    expect(samplesOf(text).find(({ name }) => name.endsWith('_count'))?.value ?? 0).toBe(count)
  })

  it('keeps two services of one process apart', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.inflight(1)
    expect((await other.registry.getSingleMetric('recapd_inflight_requests')?.get())?.values[0]?.value).toBe(0)
  })
})

describe('GET /metrics', () => {
  const KEY = 'rk_metric'
  const replies: readonly Reply[] = [status(500), { text: 'Fine.', usage: { prompt_tokens: 40, completion_tokens: 2 } }]
  let service: TestApp
  let url: string
  let samples: Sample[]
  let text: string

  beforeAll(async () => {
    const sha256 = createHash('sha256').update(KEY).digest('hex')
    service = await buildTestApp({
      script: replies,
      config: {
        retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 5 },
        auth: { keys: [{ name: 'the-key', sha256 }] },
      },
    })
    url = await service.listen()
    const headers = {
      'x-api-key': KEY,
      'x-request-id': 'the-request-id',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    }
    for (let time = 0; time < 2; time += 1)
      await request(`${url}/summarize`, json({ systemPrompt: 'S.', prompt: 'violet-otter' }, headers))
    await request(`${url}/k/${KEY}/nowhere/violet-otter`, {
      method: 'GET',
      headers: { 'x-request-id': 'the-request-id' },
    })
    await request(`${url}/problems/internal`, { method: 'GET' })
    text = (await request(`${url}/metrics`, { method: 'GET' })).body
    samples = samplesOf(text)
  })
  afterAll(() => service.close())

  const sum = (name: string, labels: Record<string, string> = {}) =>
    samples
      .filter(
        (sample) =>
          sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
      .reduce((total, { value }) => total + value, 0)

  it('counts requests by route, method and status', () => {
    expect(sum('recapd_http_requests_total', { route: '/summarize', method: 'POST', status: '200' })).toBe(2)
    expect(sum('recapd_http_requests_total', { route: 'unknown', method: 'GET', status: '404' })).toBe(1)
    expect(sum('recapd_http_requests_total', { route: '/problems/:code', status: '200' })).toBe(1)
    expect(sum('recapd_http_request_duration_seconds_count', { route: '/summarize' })).toBe(2)
  })

  it('counts attempts, tokens, retries and cache results', () => {
    expect(sum('recapd_model_attempts_total', { model: 'alpha/small', outcome: 'server_error' })).toBe(1)
    expect(sum('recapd_model_attempts_total', { model: 'alpha/small', outcome: 'ok' })).toBe(1)
    expect(sum('recapd_model_tokens_total', { model: 'alpha/small', direction: 'input' })).toBe(40)
    expect(sum('recapd_retries_total', { model: 'alpha/small' })).toBe(1)
    expect(sum('recapd_cache_requests_total', { result: 'miss' })).toBe(1)
    expect(sum('recapd_cache_requests_total', { result: 'hit' })).toBe(1)
    expect(sum('recapd_model_attempt_duration_seconds_count', { model: 'alpha/small' })).toBe(2)
  })

  it('measures bodies, and holds none between requests', () => {
    expect(sum('recapd_http_request_body_bytes_count', { route: '/summarize' })).toBe(2)
    expect(sum('recapd_inflight_body_bytes')).toBe(0)
    expect(sum('recapd_inflight_requests')).toBe(0)
  })

  it('has the gauges before anything happened to them', () => {
    for (const name of [
      'recapd_redis_up',
      'recapd_inflight_requests',
      'recapd_degraded_total',
      'recapd_split_turns_total',
    ])
      expect(
        samples.some((sample) => sample.name === name),
        name,
      ).toBe(true)
    expect(sum('process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(sum('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
  })

  it('has labels of the contract only, whose values are routes, words and configured names', () => {
    for (const { name, labels } of samples.filter((sample) => sample.name.startsWith('recapd_'))) {
      const metric = METRIC_CONTRACT[name] ?? METRIC_CONTRACT[name.replace(/_(bucket|sum|count)$/, '')]
      expect(
        Object.keys(labels)
          .filter((label) => label !== 'le')
          .sort(),
        name,
      ).toEqual([...(metric?.labels ?? [])].sort())
    }
    for (const private_ of [KEY, 'the-request-id', 'violet-otter', 'a'.repeat(32), '127.0.0.1', 'nowhere'])
      expect(text).not.toContain(private_)
  })
})

describe('server.adminPort', () => {
  it('takes the metrics off the public port', async () => {
    const own = await appOfTest({ config: { server: { adminPort: 9464 } } })
    const inPublic = await own.app.inject('/metrics')
    expectProblem({ status: inPublic.statusCode, headers: inPublic.headers, body: inPublic.body }, 404, 'not-found')
    await request(`${await own.listen()}/summarize`, json({ systemPrompt: 'S.', prompt: 'P.' }))
    const metrics = await own.admin.inject('/metrics')
    expect(metrics.statusCode).toBe(200)
    expect(metrics.headers['content-type']).toMatch(/^text\/plain; version=/)
    expect(metrics.body).toContain('recapd_http_requests_total{route="/summarize",method="POST",status="200"} 1')
  })

  it('has health beside them and nothing else', async () => {
    const own = await appOfTest()
    expect(await own.admin.inject('/livez')).toMatchObject({ statusCode: 200 })
    const answer = await own.admin.inject({ method: 'POST', url: '/summarize', payload: {} })
    expectProblem({ status: answer.statusCode, headers: answer.headers, body: answer.body }, 404, 'not-found')
  })
})
