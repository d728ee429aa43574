import { createCallerSlots } from './callers/caller-slots.ts'
import { CALLER_PREFIX, MIXTURE_PREFIX } from './candidate-ids.ts'
import { type CandidateLimits, type ChainParts, candidateChain } from './chain.ts'
import type { CandidateFacts, Model } from './model.ts'
import type { ModelsOptions } from './options.ts'
import { callerModel } from './sources/caller.ts'
import { type Extract, extractiveModel } from './sources/extractive.ts'
import { mixture } from './sources/mixture.ts'
import { createProvider } from './sources/provider.ts'
import { withAnswerCheck } from './wrappers/answer-check.ts'
import type { BreakerState } from './wrappers/breaker.ts'
import { withObserver } from './wrappers/observe.ts'
import { withTimeout } from './wrappers/timeout.ts'

/** What candidates are made with. */
export interface CandidateParts extends ChainParts {
  /** Work on long prompts, which may happen in a worker. */
  readonly extract: Extract
}

export interface Candidates {
  /** By id; every configured one, whether the default chain asks it or not. */
  readonly models: ReadonlyMap<string, Model>
  priceOf(id: string): CandidateFacts['price']
  breakerState(id: string): BreakerState
  /** Of every model that has one, asked by default or not. */
  breakers(): readonly { readonly id: string; readonly breaker: BreakerState }[]
  restingKeys(): readonly { readonly provider: string; readonly count: number }[]
  /** Waits for running exchanges, then closes every connection. */
  close(): Promise<void>
}

/** Every candidate of the configuration: models of providers, mixtures of them, and the embedded one. */
export function createCandidates(options: ModelsOptions, parts: CandidateParts): Candidates {
  const { clock, observer, prompts } = parts
  const slots = createCallerSlots(parts.limitsOf)
  const providers = Object.entries(options.providers).map(([name, provider]) =>
    createProvider({ name, provider }, options, { ...parts, slots }),
  )
  const sources = new Map(providers.flatMap((provider) => provider.sources.map((one) => [one.source.id, one])))
  const embedded = extractiveModel(parts.extract, () => observer.degraded())
  const extractive = withObserver(withAnswerCheck(embedded), { observer, clock })

  function candidate(id: string, limits: CandidateLimits): Model {
    const source = sources.get(id)
    return source === undefined ? extractive : candidateChain(source, limits, { options, parts })
  }

  /** It has no provider of ours, so no pool, no breaker and no keys: the caller's own provider says how often it may be asked. */
  function callerCandidate(id: string): Model {
    const timed = withTimeout(callerModel({ id, clock }), { ...options.timeouts, clock })
    return withObserver(withAnswerCheck(timed), { observer, clock })
  }

  function mixed([name, wanted]: readonly [string, ModelsOptions['moa'][string]]): Model {
    const referenceTimeoutMs = wanted.referenceTimeoutMs ?? options.timeouts.attemptMs
    // One retry (docs/spec/models.md §10).
    const limits = { attemptMs: referenceTimeoutMs, maxAttempts: 2 }
    return mixture({
      id: `${MIXTURE_PREFIX}${name}`,
      references: wanted.references.map((id) => candidate(id, limits)),
      aggregator: candidate(wanted.aggregator, whole),
      minSuccessful: wanted.minSuccessful,
      referenceTimeoutMs,
      template: prompts['moa-aggregate'],
      clock,
      observer,
    })
  }

  const whole = { attemptMs: options.timeouts.attemptMs, maxAttempts: options.retry.maxAttempts }
  const plain = [...sources.keys()].map((id) => candidate(id, whole))
  const callers = options.candidates.filter((id) => id.startsWith(CALLER_PREFIX)).map(callerCandidate)
  const all = [...plain, ...callers, ...Object.entries(options.moa).map(mixed), extractive]
  return {
    models: new Map(all.map((model) => [model.id, model])),
    priceOf: (id) => sources.get(id)?.price,
    breakerState: (id) => sources.get(id)?.breaker.state() ?? 'closed',
    breakers: () => Array.from(sources, ([id, { breaker }]) => ({ id, breaker: breaker.state() })),
    restingKeys: () => providers.map(({ name, restingKeys }) => ({ provider: name, count: restingKeys() })),
    async close() {
      await Promise.all(providers.map(({ close }) => close()))
    },
  }
}
