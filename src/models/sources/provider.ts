import type { LimitsOf } from '../callers/caller-limits.ts'
import type { CallerSlots } from '../callers/caller-slots.ts'
import type { Clock } from '../clock.ts'
import type { CandidateFacts, KeyedModel } from '../model.ts'
import type { ModelObserver } from '../observer.ts'
import type { ModelsOptions, ProviderOptions } from '../options.ts'
import type { Store } from '../stores/store.ts'
import { createTransport, type Transport } from '../transport/transport.ts'
import { type Breaker, createBreaker } from '../wrappers/breaker.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../wrappers/concurrency.ts'
import { createKeyPool, type KeyPool } from '../wrappers/keys.ts'
import { createRetryBudget, type RetryBudget } from '../wrappers/retry-budget.ts'
import { openaiModel } from './openai.ts'
import { remoteModel } from './remote.ts'

/** What the models of one provider share. */
export interface ProviderShare {
  readonly pool: KeyPool
  readonly limit: ConcurrencyLimit
  readonly budget: RetryBudget
}

/** One model of a provider before any wrapper. */
export interface Source {
  readonly source: KeyedModel
  readonly price: CandidateFacts['price']
  readonly breaker: Breaker
  readonly provider: ProviderShare
}

export interface Provider {
  readonly name: string
  restingKeys(): number
  readonly sources: readonly Source[]
  /** Waits for running exchanges, then closes every connection. */
  close(): Promise<void>
}

interface ProviderParts {
  readonly store: Store
  readonly clock: Clock
  readonly observer: ModelObserver
  readonly limitsOf: LimitsOf
  readonly slots: CallerSlots
}

/** One provider of the configuration: its connections, its keys, its slots, its retry budget, and its models. */
export function createProvider(
  { name, provider }: { readonly name: string; readonly provider: ProviderOptions },
  options: ModelsOptions,
  parts: ProviderParts,
): Provider {
  const { store, clock, observer, limitsOf, slots } = parts
  const { maxConcurrency, queue } = provider
  const baseUrl = provider.type === 'remote' ? provider.url : provider.baseUrl
  const transport = createTransport({ baseUrl, maxConcurrency, connectMs: options.timeouts.connectMs })
  const { maxDelayMs, budgetRatio } = options.retry
  const share = {
    pool: createKeyPool({ provider: name, keys: provider.apiKeys ?? [], store, clock, maxDelayMs }),
    limit: createConcurrencyLimit({ provider: name, maxConcurrency, queue, observer, clock, limitsOf, slots }),
    budget: createRetryBudget({ ratio: budgetRatio, clock }),
  }
  return {
    name,
    restingKeys: share.pool.restingCount,
    sources: modelsOf(name, { provider, transport, clock }).map(({ source, price }) => ({
      source,
      price,
      breaker: createBreaker({ model: source.id, ...options.breaker, store, clock }),
      provider: share,
    })),
    close: transport.close,
  }
}

function modelsOf(
  name: string,
  {
    provider,
    transport,
    clock,
  }: { readonly provider: ProviderOptions; readonly transport: Transport; readonly clock: Clock },
): Pick<Source, 'source' | 'price'>[] {
  const { headers } = provider
  if (provider.type === 'remote') {
    const { url, contextWindow, maxOutputTokens } = provider
    const source = remoteModel({ id: name, url, transport, headers, contextWindow, maxOutputTokens, clock })
    return [{ source, price: undefined }]
  }
  const { baseUrl } = provider
  return Object.entries(provider.models).map(([model, { contextWindow = 0, price, ...facts }]) => {
    const own = { ...facts, price, contextWindow, id: `${name}/${model}`, name: model }
    return { source: openaiModel({ ...own, baseUrl, transport, headers, clock }), price }
  })
}
