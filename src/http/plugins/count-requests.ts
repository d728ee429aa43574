import type { FastifyInstance } from 'fastify'
import type { Spending } from '../../models/callers/spending.ts'
import type { Metrics } from '../metrics.ts'

/** Counts accepted work by the key that sent it; what was refused before counts for none. */
export function countRequests(
  app: FastifyInstance,
  { metrics, spending }: { readonly metrics: Metrics; readonly spending: Spending },
): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.config.work === true) {
      metrics.keyRequest(request.caller.name)
      spending.add(request.caller.name, { requests: 1 })
    }
    done()
  })
}
