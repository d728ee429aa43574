import { createHash, timingSafeEqual } from 'node:crypto'
import { type CallerLimits, NO_LIMITS } from '../models/callers/caller-limits.ts'
import type { ApiKeyOptions } from './options.ts'

/** Who asks: a configured key, or anybody where no key is configured. */
export interface Caller {
  /** The key's name, or `anonymous`; safe to log. */
  readonly name: string
  readonly rateLimit: ApiKeyOptions['rateLimit']
  /** Globs over candidate ids; undefined: all. */
  readonly models: readonly string[] | undefined
  readonly endpoints: readonly string[]
  /** Sees what all keys use. */
  readonly admin: boolean
}

/** A caller without a known key. */
export const ANONYMOUS: Caller = {
  name: 'anonymous',
  rateLimit: undefined,
  models: undefined,
  endpoints: ['*'],
  admin: false,
}

/** Who a request comes from, and the key that says so. */
export interface Known {
  readonly caller: Caller
  readonly key?: string
}

/** The keys that open this service now; they can be replaced while it runs. */
export interface KeyRing {
  /** The caller of the first known key; undefined: none is known. */
  find(carried: readonly string[]): Known | undefined
  limitsOf(name: string): CallerLimits
  /** Names of all keys, in the order of the configuration. */
  names(): readonly string[]
  has(name: string): boolean
  replace(keys: readonly ApiKeyOptions[]): void
}

interface KnownKey {
  readonly digest: Buffer
  readonly caller: Caller
}

export function createKeyRing(first: readonly ApiKeyOptions[]): KeyRing {
  let known: readonly KnownKey[] = first.map(knownOf)
  let limits = limitsByName(first)
  return {
    find(carried) {
      if (known.length === 0) return { caller: ANONYMOUS }
      for (const key of carried) {
        const digest = createHash('sha256').update(key).digest()
        // Every key is compared, so the time tells nothing about which one came close.
        const found = known.filter((row) => timingSafeEqual(row.digest, digest))[0]
        if (found !== undefined) return { caller: found.caller, key }
      }
      return undefined
    },
    limitsOf: (name) => limits.get(name) ?? NO_LIMITS,
    names: () => [...limits.keys()],
    has: (name) => limits.has(name),
    replace(keys) {
      known = keys.map(knownOf)
      limits = limitsByName(keys)
    },
  }
}

const limitsByName = (keys: readonly ApiKeyOptions[]): ReadonlyMap<string, CallerLimits> =>
  new Map(keys.map((key) => [key.name, { ...key, leavesRoom: keys.length > 1 }]))

const knownOf = ({ name, sha256, rateLimit, models, endpoints, admin }: ApiKeyOptions): KnownKey => ({
  digest: Buffer.from(sha256, 'hex'),
  caller: { name, rateLimit, models: models.includes('*') ? undefined : models, endpoints, admin },
})
