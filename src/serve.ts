import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { drainOnSignal } from './drain.ts'
import { buildAdminApp, buildApp } from './http/app.ts'
import { closeApp } from './http/close-app.ts'
import { createLifecycle } from './http/lifecycle.ts'
import { createMetrics } from './http/metrics.ts'
import { rateLimitStore } from './http/rate-limit-store.ts'
import { createLogger } from './log.ts'
import { logHookFaults } from './log-hook-faults.ts'
import { buildModels } from './models/chain.ts'
import { systemClock } from './models/clock.ts'
import { memoryStore } from './models/stores/memory.ts'
import { redisStore } from './models/stores/redis.ts'
import { createOffload } from './offload/pool.ts'
import { loadHooks } from './pipelines/load-hooks.ts'
import type { PipelineDefaults } from './pipelines/pipeline-context.ts'
import { loadPrompts, PROMPTS_FOLDER } from './prompts.ts'
import { watchEventLoop } from './watch-event-loop.ts'

/** Renewed while a session is being compacted, so this is only how long it stays locked when its replica dies. */
const SESSION_LEASE_MS = 10_000

/** Builds everything from one configuration, listens, and drains on a signal. */
export async function serve(config: Config): Promise<void> {
  const log = createLogger(config.log.level)
  const metrics = createMetrics()
  const lifecycle = createLifecycle()
  const prompts = loadPrompts(PROMPTS_FOLDER, config.prompts)
  const defaults: PipelineDefaults = {
    compaction: config.compaction,
    branchReserveTokens: config.branchSummary.reserveTokens,
    auditSummarize: config.audit.summarize,
  }
  const observer = logHookFaults(metrics, log)
  const hooks = await loadHooks(config.hooks, observer)
  const { maxBytes } = config.cache
  const redis =
    config.redis.url === ''
      ? undefined
      : redisStore({
          url: config.redis.url,
          maxBytes,
          clock: systemClock,
          observer: metrics.models,
          warn: (text) => log.warn(text),
        })
  const store = redis ?? memoryStore({ clock: systemClock, maxBytes })
  const offload = createOffload({
    worker: () => ({
      known: models.known,
      chain: config.candidates,
      defaults,
      promptsFolder: config.prompts,
      hooksFile: config.hooks,
    }),
    onInternal: (reqId, stack) => log.error({ reqId, err: { stack } }, 'internal fault'),
    onHookFault: observer.hookFault,
  })
  const models = buildModels(config, {
    store,
    clock: systemClock,
    observer: metrics.models,
    prompts,
    extract: offload.extract,
    planFold: offload.planFold,
  })
  const loop = watchEventLoop()
  const version = packageVersion()
  const dependencies = {
    options: config,
    requestMs: config.timeouts.requestMs,
    log,
    metrics,
    lifecycle,
    offload,
    pipelines: {
      models,
      prompts,
      defaults,
      hooks,
      observer,
      lock: (name: string) => store.lease(`session:${name}`, SESSION_LEASE_MS),
      now: () => Date.now(),
      newId: () => randomBytes(4).toString('hex'),
    },
    readiness: { stalled: loop.stalled, models: models.states, mode: models.mode },
    version,
    rateLimitStore: rateLimitStore({ clock: systemClock, ...(redis === undefined ? {} : { shared: redis.increment }) }),
  }
  const app = await buildApp(dependencies)
  const apps = [app]
  // Fastify's own line would say less, twice.
  const listenTextResolver = (address: string) => `listening at ${address}`
  await app.listen({ host: config.server.host, port: config.server.port, listenTextResolver })
  if (config.server.adminPort !== null) {
    const admin = await buildAdminApp(dependencies)
    await admin.listen({ host: config.server.host, port: config.server.adminPort })
    apps.push(admin)
  }
  log.info(
    { version, candidates: config.candidates, notes: config.notes },
    `recapd is ready at ${addressOf(app)}; candidates: ${config.candidates.join(', ')}`,
  )
  for (const warning of config.warnings) log.warn(warning)

  drainOnSignal({
    lifecycle,
    timing: config.server,
    log,
    async close() {
      await Promise.all(apps.map(closeApp))
      await Promise.all([models.close(), offload.close(), store.close()])
      loop.stop()
    },
  })
}

function addressOf(app: FastifyInstance): string {
  const bound = app.server.address()
  if (bound === null || typeof bound === 'string') return String(bound)
  const { address, port } = bound
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
