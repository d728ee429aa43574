import type { Prompts } from '../domain/summary/prompts-shape.ts'
import { type Breaker, type BreakerState, createBreaker, withBreaker } from './breaker.ts'
import { checkAnswer } from './check-answer.ts'
import type { Clock } from './clock.ts'
import { EXTRACTIVE_ID } from './deadline.ts'
import { type Extract, extractiveModel } from './extractive.ts'
import { createGate, type Gate, withGate } from './gate.ts'
import type { KeyedModel } from './keyed-model.ts'
import { createKeyPool, type KeyPool, withKeys } from './keys.ts'
import type { CandidateFacts, Model } from './model.ts'
import { withObserver } from './observe.ts'
import type { ModelObserver } from './observer.ts'
import { openaiModel } from './openai.ts'
import type { ModelsOptions, ProviderOptions } from './options.ts'
import { remoteModel } from './remote.ts'
import { withRetry } from './retry.ts'
import { createRetryBudget, type RetryBudget } from './retry-budget.ts'
import type { Store } from './stores/store.ts'
import { withTimeout } from './timeout.ts'
import { createTransport, type Transport } from './transport.ts'

/** What candidates are made with. */
export interface CandidateParts {
  readonly store: Store
  readonly clock: Clock
  readonly observer: ModelObserver
  readonly prompts: Prompts
  readonly extract: Extract
}

export interface Candidates {
  /** By id; every configured one, whether the default chain asks it or not. */
  readonly models: ReadonlyMap<string, Model>
  priceOf(id: string): Pick<CandidateFacts, 'price'>
  breakerState(id: string): BreakerState
  close(): Promise<void>
}

/** What the models of one provider share. */
interface Provider {
  readonly transport: Transport
  readonly keys: KeyPool
  readonly gate: Gate
  readonly budget: RetryBudget
}

/**
 * One candidate, from the inside out: the call, a key for it, its time limit, a slot of the provider, the model's breaker,
 * the check of the answer, its row in `attempts`, the retries. No wrapper knows which source is inside (models.md, head).
 */
export function candidateModels(options: ModelsOptions, parts: CandidateParts): Candidates {
  const { store, clock, observer, prompts } = parts
  const models = new Map<string, Model>()
  const breakers = new Map<string, Breaker>()
  const prices = new Map<string, Pick<CandidateFacts, 'price'>>()
  const transports: Transport[] = []
  const texts = { brevity: prompts.brevity, reminder: prompts.reminder }

  function providerOf(name: string, provider: ProviderOptions): Provider {
    const baseUrl = provider.type === 'remote' ? provider.url : provider.baseUrl
    const { maxConcurrency, queue } = provider
    const transport = createTransport({ baseUrl, maxConcurrency, connectMs: options.timeouts.connectMs })
    transports.push(transport)
    return {
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

  function add(source: KeyedModel, { keys, gate, budget }: Provider): void {
    const breaker = createBreaker({ model: source.id, ...options.breaker, store, clock, observer })
    breakers.set(source.id, breaker)
    const timed = withTimeout(withKeys(source, keys, clock), { ...options.timeouts, clock })
    const guarded = withBreaker(withGate(timed, gate), breaker)
    const tried = withObserver(checkAnswer(guarded), { observer, clock })
    models.set(source.id, withRetry(tried, { ...options.retry, budget, clock, observer, texts }))
  }

  for (const [name, provider] of Object.entries(options.providers)) {
    const shared = providerOf(name, provider)
    for (const { source, price } of sourcesOf(name, provider, shared.transport, clock)) {
      add(source, shared)
      prices.set(source.id, price)
    }
  }
  const extractive = extractiveModel(parts.extract, () => observer.degraded())
  models.set(EXTRACTIVE_ID, withObserver(checkAnswer(extractive), { observer, clock }))

  return {
    models,
    priceOf: (id) => prices.get(id) ?? {},
    breakerState: (id) => breakers.get(id)?.state() ?? 'closed',
    async close() {
      await Promise.all(transports.map((transport) => transport.close()))
    },
  }
}

interface Source {
  readonly source: KeyedModel
  readonly price: Pick<CandidateFacts, 'price'>
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
