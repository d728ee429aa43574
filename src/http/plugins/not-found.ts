import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import { asksForWebSocket, noWebSockets } from './web-sockets.ts'

/**
 * Answers unknown paths and wrong methods on arrival, before a body is read for nothing. The limiter only knows routes, so
 * it is called here as well, against probing.
 */
export function registerNotFound(app: FastifyInstance): void {
  const limited = app.rateLimit()
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    return limited.call(app, request, reply).then(() => {
      throw nothingHere(app, request)
    })
  })
}

/** `not-found`, or `method-not-allowed` where another method would do. */
export function nothingHere(app: FastifyInstance, request: FastifyRequest): RecapdError {
  const path = request.url.split('?', 1)[0] ?? '/'
  const allow = METHODS.filter((method) => app.findRoute({ method, url: path }) !== null)
  if (allow.length === 0) return notFound()
  if (asksForWebSocket(request)) return noWebSockets()
  return new RecapdError('method-not-allowed', `${request.method} is not for this path; use ${allow.join(', ')}.`, {
    allow,
  })
}

export const notFound = (): RecapdError =>
  new RecapdError('not-found', 'There is no such path; GET /docs lists the endpoints.')

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** The router would answer malformed escapes itself, bypassing every hook; this path is just as unknown, and runs the hooks. */
const UNKNOWN = '/%25'

/** The address itself, or where its path cannot be decoded, one that leads nowhere. */
export function readableAddress(address: string): string {
  if (!address.includes('%')) return address
  try {
    decodeURIComponent(address.split('?', 1)[0] ?? '')
    return address
  } catch {
    return UNKNOWN
  }
}
