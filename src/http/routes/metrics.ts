import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics.ts'

/** `GET /metrics` in Prometheus' text format. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics, access: 'open' | 'key'): void {
  app.get('/metrics', { config: { access } }, async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
