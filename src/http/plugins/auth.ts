import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import { matchesGlob } from '../../models/selection.ts'
import type { ApiKeyOptions } from '../options.ts'

/** Who asks: a configured key, or anybody where no key is configured. */
export interface Caller {
  /** The key's name, or `anonymous`; safe to log. */
  readonly name: string
  readonly rateLimit: ApiKeyOptions['rateLimit']
  /** Globs over candidate ids; undefined: all. */
  readonly models: readonly string[] | undefined
  readonly endpoints: readonly string[]
}

/** Who comes without a key that is known. */
export const ANONYMOUS: Caller = { name: 'anonymous', rateLimit: undefined, models: undefined, endpoints: ['*'] }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** Set where the caller is not known; thrown only behind the rate limiter, so that guessing keys is limited too. */
    authFault: RecapdError | undefined
    /** The key that opened the door, so that it can be kept from whoever the request is handed on to. Never logged. */
    ownKey: string | undefined
  }
}

const pathKeys = new WeakMap<IncomingMessage, string>()
/** A prefix whose escapes cannot be decoded: kept apart from a wrong key only by never matching one. */
const MALFORMED = '\u0000'

/**
 * Takes `/k/<key>` off the front of the path, for clients that can send no header (omp sends none), before anything can
 * log the address. Fastify's rewriteUrl.
 */
export function takePathKey(request: IncomingMessage): string {
  const url = request.url ?? '/'
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

/** Keys a request carries, in the order they are looked at (http-api §0). */
function carriedKeys(request: FastifyRequest): string[] {
  const bearer = /^Bearer[ \t]+([^ \t].*)$/i.exec(request.headers.authorization ?? '')?.[1]
  const apiKey = request.headers['x-api-key']
  const carried = [pathKeys.get(request.raw), typeof apiKey === 'string' ? apiKey : undefined, bearer]
  return carried.flatMap((key) => (key === undefined || key === '' ? [] : [key]))
}

/** Who a request comes from, and the key that says so. */
interface Known {
  readonly caller: Caller
  readonly key?: string
}

/** Finds the caller of a request; the first carrier that holds a valid key decides. */
export function authenticator(keys: readonly ApiKeyOptions[]): (request: FastifyRequest) => Known | undefined {
  const known = keys.map((key) => ({ digest: Buffer.from(key.sha256, 'hex'), caller: callerOf(key) }))
  if (known.length === 0) return () => ({ caller: ANONYMOUS })
  return (request) => {
    for (const key of carriedKeys(request)) {
      const digest = createHash('sha256').update(key).digest()
      // Every key is compared, so the time tells nothing about which one came close.
      const found = known.filter((row) => timingSafeEqual(row.digest, digest))[0]
      if (found !== undefined) return { caller: found.caller, key }
    }
    return undefined
  }
}

const callerOf = (key: ApiKeyOptions): Caller => ({
  name: key.name,
  rateLimit: key.rateLimit,
  models: key.models.includes('*') ? undefined : key.models,
  endpoints: key.endpoints,
})

/** Looks the caller up on arrival and refuses what it may not do once the rate limiter has seen it. */
export function registerAuth(app: FastifyInstance, keys: readonly ApiKeyOptions[]): void {
  const knownCaller = authenticator(keys)
  app.decorateRequest('caller', null as unknown as Caller)
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
    const known = knownCaller(request)
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
    if (!request.caller.endpoints.some((glob) => matchesGlob(glob, route))) {
      throw new RecapdError(
        'forbidden',
        `The key ${request.caller.name} may not use ${route}; its endpoints are ${request.caller.endpoints.join(', ')}.`,
      )
    }
    done(null, payload)
  })
}
