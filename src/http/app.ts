import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { MemoryBudget } from '../workers/memory-budget.ts'
import { faceRoutes } from './faces/face-routes.ts'
import { createProxyMetrics } from './faces/proxy/proxy-metrics.ts'
import { proxyRoutes } from './faces/proxy/proxy-routes.ts'
import { openUpstreams } from './faces/proxy/upstreams.ts'
import { isLoopback } from './loopback.ts'
import type { Metrics } from './metrics.ts'
import type { HttpOptions } from './options.ts'
import { registerAccessLog } from './plugins/access-log.ts'
import { registerAuth, takePathKey } from './plugins/auth.ts'
import { registerBodies } from './plugins/body.ts'
import { answerBrokenRequest } from './plugins/broken-request.ts'
import { countRequests } from './plugins/count-requests.ts'
import { type Lifecycle, registerLifecycle } from './plugins/lifecycle.ts'
import { registerLingeringClose } from './plugins/lingering-close.ts'
import { notFound, readableAddress, registerNotFound } from './plugins/not-found.ts'
import { registerProblems, sendProblem } from './plugins/problems.ts'
import { registerRateLimit } from './plugins/rate-limit.ts'
import { registerRequestHead } from './plugins/request-head.ts'
import { registerSecurityHeaders } from './plugins/security-headers.ts'
import type { FiguresLedger } from './request-figures.ts'
import { operationsRoutes, type Readiness } from './routes/health.ts'
import { jobRoutes } from './routes/jobs.ts'
import { metricsRoute } from './routes/metrics.ts'
import { modelsRoute } from './routes/models.ts'
import { pagesRoutes } from './routes/pages.ts'
import { type UsageDependencies, usageRoute } from './routes/usage.ts'
import { type WorkDependencies, workRoutes } from './routes/work.ts'
import { trustOf } from './trust-proxy.ts'

export interface AppDependencies extends WorkDependencies, UsageDependencies {
  readonly options: HttpOptions
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly budget: MemoryBudget
  readonly figures: FiguresLedger
  readonly lifecycle: Lifecycle
  readonly readiness: Readiness
  readonly version: string
  /** Shared limits where there is Redis. */
  readonly rateLimitStore?: FastifyRateLimitStoreCtor
}

/** Registers everything in the order in which a request meets it. Never listens. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { options, log, metrics, figures, lifecycle } = dependencies
  const app = newFastify(log, options)
  registerProblems(app)
  registerLingeringClose(app)
  registerSecurityHeaders(app)
  registerRequestHead(app)
  registerAccessLog(app, { metrics, figures })
  registerAuth(app, dependencies.keyRing)
  await registerRateLimit(app, options, dependencies.rateLimitStore)
  registerLifecycle(app, lifecycle, (change) => metrics.inflight(change))
  countRequests(app, dependencies)
  const limits = { ...options.server, budget: dependencies.budget }
  const bodyLedger = registerBodies(app, limits, metrics)
  registerNotFound(app)

  operationsRoutes(app, dependencies)
  if (options.server.adminPort === null) metricsRoute(app, metrics, operationsAccess(options))
  workRoutes(app, dependencies)
  jobRoutes(app, dependencies)
  faceRoutes(app, dependencies)
  usageRoute(app, dependencies)
  modelsRoute(app, dependencies.pipelines.models)
  await proxyRoutes(app, {
    ...dependencies,
    upstreams: openUpstreams(options.proxy),
    counters: createProxyMetrics(metrics.registry),
    bodyLimits: limits,
    bodyLedger,
  })
  pagesRoutes(app, { docs: options.server.docs, access: operationsAccess(options) })
  return app
}

/** The metrics alone, for `server.adminPort`. */
export async function buildAdminApp(
  dependencies: Pick<AppDependencies, 'options' | 'log' | 'metrics'>,
): Promise<FastifyInstance> {
  const app = newFastify(dependencies.log, dependencies.options)
  registerProblems(app)
  registerLingeringClose(app)
  registerSecurityHeaders(app)
  registerRequestHead(app)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, notFound()))
  metricsRoute(app, dependencies.metrics, 'open')
  app.get('/livez', async () => ({ status: 'ok' }))
  return app
}

const MAX_HEADER_BYTES = 16_384

function newFastify(log: FastifyBaseLogger, { server }: HttpOptions): FastifyInstance {
  return fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustOf(server.trustProxy),
    genReqId: requestId,
    rewriteUrl: (request) => readableAddress(takePathKey(request)),
    // The router would answer longer ones by itself; the size of the headers is their limit.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: answerBrokenRequest,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_COMPILERS },
    forceCloseConnections: 'idle',
    // A body has 30 s to arrive; headers less. Answers may take as long as the deadline allows.
    requestTimeout: 30_000,
    keepAliveTimeout: server.keepAliveMs,
    http: {
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Refused with a problem by request-head.ts.
      requireHostHeader: false,
    },
  })
}

/** Bodies are checked where they are worked on, by zod: the hundred modules of Fastify's own validators stay unloaded. */
const NO_COMPILERS = { buildValidator: () => noSchema, buildSerializer: () => noSchema }

function noSchema(): never {
  throw new TypeError('no route has a schema of its own')
}

function requestId(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID()
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Metrics and docs need no key on loopback, nor where the operator opened them (docs/spec/contract.md §7). */
function operationsAccess({ server, auth }: HttpOptions): 'open' | 'key' {
  return isLoopback(server.host) || server.publicOperations || auth.keys.length === 0 ? 'open' : 'key'
}
