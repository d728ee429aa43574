import fastifyRateLimit, { type FastifyRateLimitStoreCtor, normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defined } from '../../domain/defined.ts'
import { RecapdError } from '../../domain/errors.ts'
import { ANONYMOUS } from '../key-ring.ts'
import type { HttpOptions, RateLimitOptions } from '../options.ts'

/**
 * Limits per key, per client address where there is none (failed auth and unknown paths included, so that guessing costs
 * as much as working). Health is never limited: routes with `access: 'open'` opt out.
 */
export async function registerRateLimit(
  app: FastifyInstance,
  { rateLimit: limit }: Pick<HttpOptions, 'rateLimit'>,
  store: FastifyRateLimitStoreCtor | undefined,
): Promise<void> {
  const limitOf = (request: FastifyRequest): RateLimitOptions =>
    request.authFault === undefined ? (request.caller.rateLimit ?? limit) : limit
  // Before the plugin puts its hook on a route.
  app.addHook('onRoute', (route) => {
    if (route.config?.access === 'open') route.config = { ...route.config, rateLimit: false }
  })
  await app.register(fastifyRateLimit, {
    global: true,
    hook: 'onRequest',
    enableDraftSpec: true,
    keyGenerator: (request) => {
      if (request.caller !== ANONYMOUS) return `key:${request.caller.name}`
      const { ip } = request
      // One network of IPv6 has more addresses than any limit counts, so it counts as one (the plugin's /64).
      return `address:${ip.includes(':') ? normalizeIP(ip) : ip}`
    },
    // Looked up each time: keys can be replaced while the service runs.
    max: (request: FastifyRequest) => limitOf(request).max,
    timeWindow: (request: FastifyRequest) => limitOf(request).windowMs,
    errorResponseBuilder: (_request, context) =>
      new RecapdError(
        'rate-limited',
        `More than ${context.max} requests in ${context.after}; wait, or ask for a higher limit.`,
        {
          retryAfterMs: context.ttl,
        },
      ),
    ...defined({ store }),
  })
}
