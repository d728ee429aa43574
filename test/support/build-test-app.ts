import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type Config, loadConfig } from '../../src/config/load-config.ts'
import { type AppDependencies, buildAdminApp, buildApp } from '../../src/http/app.ts'
import { createKeyRing, type KeyRing } from '../../src/http/key-ring.ts'
import { createMetrics, type Metrics } from '../../src/http/metrics.ts'
import { createLifecycle, type Lifecycle } from '../../src/http/plugins/lifecycle.ts'
import { rateLimitStore } from '../../src/http/plugins/rate-limit-store.ts'
import { createFiguresLedger } from '../../src/http/request-figures.ts'
import { memorySpending } from '../../src/models/callers/spending.ts'
import { systemClock } from '../../src/models/clock.ts'
import { memoryStore } from '../../src/models/stores/memory.ts'
import { budgetOf } from '../../src/process/budget-of.ts'
import { buildJobs } from '../../src/process/build-jobs.ts'
import { watchOrphans } from '../../src/process/build-service.ts'
import { createPipelines, type PipelineChanges } from '../../src/process/create-pipelines.ts'
import { createLogger } from '../../src/process/log.ts'
import type { Offload } from '../../src/workers/offload.ts'
import { type FakeProvider, fakeProvider, type Script } from './fake-provider.ts'

export interface TestAppOptions extends PipelineChanges {
  /** What the provider `alpha` answers; default: one summary, for ever. */
  readonly script?: Script
  /** More models of the provider, beside `small` and `big`. */
  readonly models?: Readonly<Record<string, object>>
  /** Laid over the test configuration, one level deep. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly readiness?: Partial<AppDependencies['readiness']>
}

export interface TestApp {
  readonly app: FastifyInstance
  readonly admin: FastifyInstance
  readonly config: Config
  readonly provider: FakeProvider
  readonly metrics: Metrics
  readonly lifecycle: Lifecycle
  readonly offload: Offload
  /** Every line logged so far, at every level. */
  readonly lines: readonly LogLine[]
  /** Listens on a free port of loopback, once; the base address. */
  listen(): Promise<string>
  close(): Promise<void>
}

export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string }

/**
 * The whole service but for its process: real configuration, models and routes in front of a provider on loopback, a
 * store in memory, a logger that keeps its lines. Whoever builds it closes it.
 */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const provider = await fakeProvider(options.script ?? [{ text: 'The parser moved.' }])
  const config = await configOf({ ...configFor(provider.url, options.models), ...options.config })
  const lines: LogLine[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(JSON.parse(line)) })
  const keyRing = createKeyRing(config.auth.keys)
  const metrics = createMetrics(keyRing.has)
  const lifecycle = createLifecycle()
  const { dependencies, jobs, models, offload, store } = await compose(
    config,
    { log, metrics, lifecycle, keyRing },
    options,
  )
  const app = await buildApp(dependencies)
  const admin = await buildAdminApp(dependencies)
  let address: Promise<unknown> | undefined
  return {
    app,
    admin,
    config,
    provider,
    metrics,
    lifecycle,
    offload,
    lines,
    async listen() {
      address ??= app.listen({ host: '127.0.0.1', port: 0 })
      await address
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    },
    async close() {
      app.server.closeAllConnections()
      await Promise.all([app.close(), admin.close()])
      await provider.close()
      await jobs.close()
      await Promise.all([models.close(), offload.close(), store.close()])
    },
  }
}

/** The same for one test alone: it is closed when the test is over, passed or not. */
export async function appOfTest(options: TestAppOptions = {}): Promise<TestApp> {
  const service = await buildTestApp(options)
  onTestFinished(service.close)
  return service
}

/** The same for all tests of a file: it listens while they run. */
export function appOfFile(options: TestAppOptions = {}): { readonly service: TestApp; readonly url: string } {
  let running: { readonly service: TestApp; readonly url: string }
  beforeAll(async () => {
    const service = await buildTestApp(options)
    running = { service, url: await service.listen() }
  })
  afterAll(() => running.service.close())
  return {
    get service() {
      return running.service
    },
    get url() {
      return running.url
    },
  }
}

/** As serve.ts puts it together. */
interface Around {
  readonly log: Logger
  readonly metrics: Metrics
  readonly lifecycle: Lifecycle
  readonly keyRing: KeyRing
}

async function compose(config: Config, { log, metrics, lifecycle, keyRing }: Around, options: TestAppOptions) {
  const budget = budgetOf(config)
  const store = memoryStore({ clock: systemClock, maxBytes: config.cache.maxBytes })
  const callers = { keyRing, spending: memorySpending(systemClock) }
  const figures = createFiguresLedger()
  const { models, offload, pipelines } = await createPipelines(
    config,
    { store, budget, metrics, figures, log, ...callers },
    options,
  )
  const { breakers, restingKeys } = models
  const eventLoopLag = () => ({ p50: 0, p99: 0, max: 0 })
  metrics.watchProcess({ version: '0.0.0-test', breakers, restingKeys, eventLoopLag })
  const jobs = await buildJobs(config, { link: undefined, offload, pipelines, metrics, figures, log })
  const dependencies: AppDependencies = {
    options: config,
    limits: config.timeouts,
    orphans: watchOrphans(lifecycle, metrics),
    jobs,
    ...callers,
    log,
    metrics,
    figures,
    lifecycle,
    budget,
    offload,
    pipelines,
    readiness: {
      stalled: () => false,
      starved: offload.isStarved,
      models: models.states,
      mode: models.mode,
      ...options.readiness,
    },
    version: '0.0.0-test',
    rateLimitStore: rateLimitStore({ clock: systemClock }),
  }
  return { dependencies, jobs, models, offload, store }
}

const configFor = (url: string, more: TestAppOptions['models'] = {}) => ({
  providers: {
    alpha: {
      baseUrl: url,
      apiKeys: ['sk-alpha-of-the-provider'],
      models: {
        small: { contextWindow: 128_000, maxOutputTokens: 4_000 },
        big: { contextWindow: 256_000 },
        // Takes prompts that go through a worker in one call.
        huge: { contextWindow: 50_000_000 },
        ...more,
      },
    },
  },
  candidates: ['alpha/small'],
  rateLimit: { max: 1_000_000, windowMs: 60_000 },
  retry: { maxAttempts: 1, baseDelayMs: 1, maxDelayMs: 10 },
  breaker: { failureThreshold: 1_000, cooldownMs: 1_000 },
})

/** Through the same reader as in production, so that a test cannot run with what nobody could configure. */
async function configOf(value: object): Promise<Config> {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-test-'))
  const file = path.join(folder, 'recapd.json')
  writeFileSync(file, JSON.stringify(value))
  try {
    return await loadConfig({ RECAPD_CONFIG: file })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
