import type { Clock } from '../clock.ts'
import { leftMs } from '../failures/deadline.ts'
import { type Completion, type CompletionRequest, type Model, wrapModel } from '../model.ts'
import type { ModelObserver } from '../observer.ts'
import type { Store } from '../stores/store.ts'
import { packAnswer, unpackAnswer } from './sharing/cached-answer.ts'
import { replicaTurn } from './sharing/replica-turn.ts'
import type { RequestKey } from './sharing/request-key.ts'

export interface CacheOptions {
  readonly key: RequestKey
  readonly store: Store
  /** How long an answer is kept; 0 keeps none. */
  readonly ttlMs: number
  readonly clock: Clock
  readonly observer: ModelObserver
}

/**
 * Gives finished answers again instead of paying twice (docs/spec/models.md §5), and lets one replica at a time make the same one.
 * Failures, degraded and truncated answers are not kept. `noCache` bypasses reading only.
 */
export function withCache(model: Model, options: CacheOptions): Model {
  const { store, observer, ttlMs } = options
  const read = async (name: string, request: CompletionRequest): Promise<Completion | undefined> => {
    const value = await store.get(name)
    return value === undefined ? undefined : unpackAnswer(value, request)
  }
  const make = async (name: string | undefined, request: CompletionRequest, signal: AbortSignal) => {
    observer.cache('miss', request)
    const completion = await model.complete(request, signal)
    if (name !== undefined && !completion.degraded && !completion.truncated) {
      await store.set(name, packAnswer(completion), ttlMs)
    }
    return marked(completion, 'miss')
  }

  // No name where nothing is kept under it: hashing a long prompt is a good part of the cost of its call.
  if (ttlMs <= 0) return wrapModel(model, (request, signal) => make(undefined, request, signal))
  return wrapModel(model, async (request, signal) => {
    const name = `answer:${options.key(request)}`
    if (request.noCache === true) return await make(name, request, signal)
    const found = await read(name, request)
    if (found !== undefined) {
      observer.cache('hit', request)
      return marked(found, 'hit')
    }
    const turn = await replicaTurn(
      { ...options, name, leftMs: leftMs(request, options.clock), read: () => read(name, request) },
      signal,
    )
    if (turn.answer !== undefined) {
      observer.cache('coalesced', request)
      return marked(turn.answer, 'coalesced')
    }
    try {
      return await make(name, request, signal)
    } finally {
      await turn.lease?.release()
    }
  })
}

function marked(completion: Completion, cache: 'hit' | 'miss' | 'coalesced'): Completion {
  return { ...completion, cache }
}
