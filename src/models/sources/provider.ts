import type { Clock } from '../clock.ts'
import type { KeyedModel } from '../keyed-model.ts'
import type { CandidateFacts } from '../model.ts'
import type { ModelObserver } from '../observer.ts'
import type { ModelsOptions, ProviderOptions } from '../options.ts'
import type { Store } from '../stores/store.ts'
import { createTransport, type Transport } from '../transport/transport.ts'
import { createGate, type Gate } from '../wrappers/concurrency.ts'
import { createKeyPool, type KeyPool } from '../wrappers/keys.ts'
import { createRetryBudget, type RetryBudget } from '../wrappers/retry-budget.ts'
import { openaiModel } from './openai.ts'
import { remoteModel } from './remote.ts'

/** One model of a provider before any wrapper, with its price. */
export interface Source {
  readonly source: KeyedModel
  readonly price: Pick<CandidateFacts, 'price'>
}

/** What the models of one provider share. */
export interface Provider {
  readonly sources: readonly Source[]
  readonly transport: Transport
  readonly keys: KeyPool
  readonly gate: Gate
  readonly budget: RetryBudget
}

interface ProviderParts {
  readonly store: Store
  readonly clock: Clock
  readonly observer: ModelObserver
}

/** One provider of the configuration: its connections, its keys, its slots, its retry budget, and its models. */
export function createProvider(
  name: string,
  provider: ProviderOptions,
  options: ModelsOptions,
  parts: ProviderParts,
): Provider {
  const { store, clock, observer } = parts
  const { maxConcurrency, queue } = provider
  const baseUrl = provider.type === 'remote' ? provider.url : provider.baseUrl
  const transport = createTransport({ baseUrl, maxConcurrency, connectMs: options.timeouts.connectMs })
  return {
    sources: sourcesOf(name, provider, transport, clock),
    transport,
    keys: createKeyPool({
      provider: name,
      keys: provider.apiKeys ?? [],
      store,
      clock,
      maxDelayMs: options.retry.maxDelayMs,
    }),
    gate: createGate({ provider: name, maxConcurrency, queue, observer, clock }),
    budget: createRetryBudget({ ratio: options.retry.budgetRatio, clock }),
  }
}

function sourcesOf(name: string, provider: ProviderOptions, transport: Transport, clock: Clock): Source[] {
  const { headers } = provider
  if (provider.type === 'remote') {
    const { url, contextWindow, maxOutputTokens } = provider
    return [
      { source: remoteModel({ id: name, url, transport, headers, contextWindow, maxOutputTokens, clock }), price: {} },
    ]
  }
  return Object.entries(provider.models).map(([model, facts]) => {
    const { contextWindow = 0, price } = facts
    const source = openaiModel({
      ...facts,
      contextWindow,
      id: `${name}/${model}`,
      name: model,
      baseUrl: provider.baseUrl,
      transport,
      headers,
      clock,
    })
    return { source, price: price === undefined ? {} : { price } }
  })
}
