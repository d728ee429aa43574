import fastifyRateLimit, { type FastifyRateLimitStoreCtor, normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../domain/errors.ts'
import type { RateLimitOptions } from './options.ts'

/**
 * Limits per key, per client address where there is none (failed auth and unknown paths included, so that guessing costs
 * as much as working). Health is never limited: routes with `access: 'open'` opt out.
 */
export async function registerRateLimit(
  app: FastifyInstance,
  limit: RateLimitOptions,
  store: FastifyRateLimitStoreCtor | undefined,
): Promise<void> {
  const limitOf = (request: FastifyRequest): RateLimitOptions =>
    request.authFault === undefined ? (request.caller.rateLimit ?? limit) : limit
  await app.register(fastifyRateLimit, {
    global: true,
    hook: 'onRequest',
    enableDraftSpec: true,
    keyGenerator: (request) => {
      const known = request.authFault === undefined && request.caller.name !== 'anonymous'
      // One network of IPv6 has more addresses than any limit counts, so it counts as one (the plugin's /64).
      return known ? `key:${request.caller.name}` : `address:${normalizeIP(request.ip)}`
    },
    max: (request) => limitOf(request).max,
    timeWindow: (request) => limitOf(request).windowMs,
    allowList: (request) => request.routeOptions.config.access === 'open',
    errorResponseBuilder: (_request, context) =>
      new RecapdError(
        'rate-limited',
        `More than ${context.max} requests in ${context.after}; wait, or ask for a higher limit.`,
        {
          retryAfterMs: context.ttl,
        },
      ),
    ...(store === undefined ? {} : { store }),
  })
}
