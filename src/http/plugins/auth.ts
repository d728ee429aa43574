import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import { matchesGlob } from '../../models/selection.ts'
import { ANONYMOUS, type Caller, type KeyRing } from '../key-ring.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** Set where the caller is not known; thrown only after the rate limiter, so that guessing keys is limited too. */
    authFault: RecapdError | undefined
    /** The key that was accepted, so that it is not passed on with the request. Never logged. */
    ownKey: string | undefined
  }
  interface FastifyContextConfig {
    /** `key` (default): needs a caller that may use the route. `own`: any caller, for what is its own. `open`: anybody. */
    access?: 'key' | 'own' | 'open'
  }
}

const pathKeys = new WeakMap<IncomingMessage, string>()
/** Stands for a prefix whose escapes cannot be decoded; it matches no key. */
const MALFORMED = '\u0000'

/**
 * Takes `/k/<key>` off the front of the path, for clients that can send no header (omp sends none), before anything can
 * log the address. Fastify's rewriteUrl. Of an absolute address, as sent to a proxy (RFC 9112 §3.2.2), only what follows the host counts.
 */
export function takePathKey(request: IncomingMessage): string {
  const url = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*(?=\/)/i, '')
  request.url = url
  const match = /^\/k\/([^/?]*)((?:[/?].*)?)$/s.exec(url)
  if (match === null) return url
  pathKeys.set(request, decodedKey(match[1] ?? ''))
  const rest = match[2] ?? ''
  const address = rest.startsWith('/') ? rest : `/${rest}`
  request.url = address
  return address
}

function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return MALFORMED
  }
}

/** Keys a request carries, in the order they are looked at (docs/spec/contract.md §0). */
function carriedKeys(request: FastifyRequest): string[] {
  const bearer = /^Bearer[ \t]+([^ \t].*)$/i.exec(request.headers.authorization ?? '')?.[1]
  const apiKey = request.headers['x-api-key']
  const carried = [pathKeys.get(request.raw), typeof apiKey === 'string' ? apiKey : undefined, bearer]
  return carried.flatMap((key) => (key === undefined || key === '' ? [] : [key]))
}

/** Looks the caller up on arrival and refuses what it may not do once the rate limiter has seen it. */
export function registerAuth(app: FastifyInstance, keyRing: KeyRing): void {
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.decorateRequest('caller', {
    getter() {
      return callers.get(this) ?? ANONYMOUS
    },
    setter(caller) {
      callers.set(this, caller)
    },
  })
  app.decorateRequest('authFault', undefined)
  app.decorateRequest('ownKey', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (pathKeys.get(request.raw) === MALFORMED) {
      request.caller = ANONYMOUS
      request.authFault = new RecapdError(
        'unauthorized',
        'The key in the path has a malformed escape; percent-encode it or use x-api-key.',
      )
      return done()
    }
    const known = keyRing.find(carriedKeys(request))
    request.caller = known?.caller ?? ANONYMOUS
    request.ownKey = known?.key
    if (known === undefined) {
      request.authFault = new RecapdError(
        'unauthorized',
        'No valid key came along; send one as x-api-key, as Authorization: Bearer, or in the path as /k/<key>/….',
      )
    }
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { url: route = '', config } = request.routeOptions
    if (config.access === 'open' || request.is404) return done(null, payload)
    if (request.authFault !== undefined) throw request.authFault
    if (config.access === 'own') return done(null, payload)
    // What `*` stands for decides, too: which upstream, and which path of it.
    const place = route.endsWith('*') ? (request.url.split('?', 1)[0] ?? '') : route
    if (!request.caller.endpoints.some((glob) => matchesGlob(glob, place))) {
      throw new RecapdError(
        'forbidden',
        `The key ${request.caller.name} may not use ${route}; its endpoints are ${request.caller.endpoints.join(', ')}.`,
      )
    }
    done(null, payload)
  })
}
