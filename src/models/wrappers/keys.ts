import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { leftMs } from '../failures/deadline.ts'
import { isLongHint } from '../failures/retry-hint.ts'
import type { CompletionRequest, KeyedModel, Model } from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { Store } from '../stores/store.ts'

export interface KeyPoolOptions {
  readonly provider: string
  /** Empty for a provider without keys. */
  readonly keys: readonly string[]
  readonly store: Store
  readonly clock: Clock
  /** A hint over this is not waited for: the key rests until then (docs/spec/models.md §3). */
  readonly maxDelayMs: number
}

/** The keys of one provider, shared by its models, so that one model's 401 rests the key for all of them. */
export interface KeyPool {
  /** The least busy key that is not resting, or the time when the first one is free again. */
  take(): PooledKey | Resting
  /** Rests a key for what its call ended in, with `restMs` left until nobody waits for the answer; false when that says nothing about the key. */
  rest(key: PooledKey, error: ModelError, restMs: number): boolean
  /** Whether any key is not resting. */
  hasFree(): boolean
  restingCount(): number
}

export interface PooledKey {
  readonly value: string | undefined
  /** Store names of a rest that time cures (429), and of one that only a person can cure (auth, quota). */
  readonly pause: string
  readonly stop: string
  inFlight: number
}

interface Resting {
  readonly retryAfterMs: number
  readonly permanent: boolean
}

const AUTH_REST_MS = 10 * 60_000
const QUOTA_REST_MS = 60 * 60_000

/** Marks live in the store under a hash of the key, so that all replicas rest it and none can read it. */
export function createKeyPool(options: KeyPoolOptions): KeyPool {
  const { store, clock, maxDelayMs } = options
  const values = options.keys.length === 0 ? [undefined] : [...new Set(options.keys)]
  const pool = values.map((value) => pooledKey(options.provider, value))
  const restsUntil = (key: PooledKey) => Math.max(store.until(key.pause), store.until(key.stop))

  return {
    take() {
      const now = clock.now()
      let best: PooledKey | undefined
      for (const key of pool) {
        if (restsUntil(key) <= now && (best === undefined || key.inFlight < best.inFlight)) best = key
      }
      if (best !== undefined) return best
      return {
        retryAfterMs: Math.min(...pool.map(restsUntil)) - now,
        permanent: pool.every((key) => store.until(key.stop) > now),
      }
    },
    rest(key, { outcome, facts }, restMs) {
      const now = clock.now()
      if (outcome === 'auth') store.mark(key.stop, now + AUTH_REST_MS)
      else if (outcome === 'quota') store.mark(key.stop, now + QUOTA_REST_MS)
      else if (outcome === 'rate_limited' && isLongHint(facts.retryAfterMs, { maxDelayMs, leftMs: restMs })) {
        store.mark(key.pause, now + (facts.retryAfterMs ?? 0))
      } else return false
      return true
    },
    restingCount: () => pool.filter((key) => restsUntil(key) > clock.now()).length,
    hasFree: () => pool.some((key) => restsUntil(key) <= clock.now()),
  }
}

/** Lends the model a key for each call, and rests the key when the answer says so (docs/spec/models.md §4). */
export function withKeys(model: KeyedModel, { pool, clock }: { readonly pool: KeyPool; readonly clock: Clock }): Model {
  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const key = pool.take()
    if ('retryAfterMs' in key) throw new ModelError(model.id, 'key_resting', key)
    key.inFlight += 1
    try {
      return await model.completeWith(key.value, request, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error
      if (!pool.rest(key, error, leftMs(request, clock))) throw error
      throw new ModelError(model.id, error.outcome, { ...error.facts, anotherKey: pool.hasFree() })
    } finally {
      key.inFlight -= 1
    }
  }
  const { id, contextWindow, maxOutputTokens } = model
  return { id, contextWindow, maxOutputTokens, complete }
}

function pooledKey(provider: string, value: string | undefined): PooledKey {
  const hash = createHash('sha256')
    .update(`${provider}\0${value ?? ''}`)
    .digest('hex')
    .slice(0, 32)
  return { value, pause: `key-pause:${provider}:${hash}`, stop: `key-stop:${provider}:${hash}`, inFlight: 0 }
}
