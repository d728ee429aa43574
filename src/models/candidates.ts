import type { Prompts } from '../domain/prompts/prompts-shape.ts'
import { scoreAnswer } from '../domain/summary/score-answer.ts'
import type { Clock } from './clock.ts'
import { EXTRACTIVE_ID } from './failures/deadline.ts'
import type { KeyedModel } from './keyed-model.ts'
import type { CandidateFacts, Model } from './model.ts'
import type { ModelObserver } from './observer.ts'
import type { ModelsOptions } from './options.ts'
import { type Extract, extractiveModel } from './sources/extractive.ts'
import { mixture } from './sources/mixture.ts'
import { createProvider, type Provider } from './sources/provider.ts'
import type { Store } from './stores/store.ts'
import { type Breaker, type BreakerState, createBreaker, skipWhileOpen, withBreaker } from './wrappers/breaker.ts'
import { checkAnswer } from './wrappers/check-answer.ts'
import { withGate } from './wrappers/concurrency.ts'
import { fold } from './wrappers/fold.ts'
import type { FoldOptions } from './wrappers/folding/fold-options.ts'
import { withKeys } from './wrappers/keys.ts'
import { withObserver } from './wrappers/observe.ts'
import { withRetry } from './wrappers/retry.ts'
import { withTimeout } from './wrappers/timeout.ts'

/** What candidates are made with. */
export interface CandidateParts {
  readonly store: Store
  readonly clock: Clock
  readonly observer: ModelObserver
  readonly prompts: Prompts
  /** Work on long prompts, which may happen in a worker. */
  readonly extract: Extract
  readonly planFold: NonNullable<FoldOptions['plan']>
}

export interface Candidates {
  /** By id; every configured one, whether the default chain asks it or not. */
  readonly models: ReadonlyMap<string, Model>
  priceOf(id: string): Pick<CandidateFacts, 'price'>
  breakerState(id: string): BreakerState
  close(): Promise<void>
}

/** A reference of a mixture: its own, shorter clock, and one retry (models.md §10). */
interface Limits {
  readonly attemptMs: number
  readonly maxAttempts: number
}

/**
 * One candidate, from the inside out: the call, a key for it, its time limit, the model's breaker, a slot of the provider
 * (not waited for while the breaker is open), the check of the answer, its row in `attempts`, the retries, folding. No wrapper knows which source is inside.
 */
export function candidateModels(options: ModelsOptions, parts: CandidateParts): Candidates {
  const { store, clock, observer, prompts } = parts
  const sources = new Map<
    string,
    { source: KeyedModel; provider: Provider; breaker: Breaker; price: Pick<CandidateFacts, 'price'> }
  >()
  const providers = Object.entries(options.providers).map(([name, provider]) =>
    createProvider(name, provider, options, parts),
  )
  for (const provider of providers) {
    for (const { source, price } of provider.sources) {
      const breaker = createBreaker({ model: source.id, ...options.breaker, store, clock, observer })
      sources.set(source.id, { source, provider, breaker, price })
    }
  }
  const texts = { brevity: prompts.brevity, reminder: prompts.reminder }
  const templates = {
    part: prompts['fold-part'],
    merge: prompts['fold-merge'],
    update: prompts['compaction-update-summary'],
  }
  const folding = { ...options.fold, templates, clock, observer, plan: parts.planFold }
  const extractive = withObserver(checkAnswer(extractiveModel(parts.extract, () => observer.degraded())), {
    observer,
    clock,
  })

  function candidate(id: string, { attemptMs, maxAttempts }: Limits): Model {
    const found = sources.get(id)
    if (found === undefined) return extractive
    const { source, provider, breaker } = found
    const timed = withTimeout(withKeys(source, provider.keys, clock), { ...options.timeouts, attemptMs, clock })
    const guarded = skipWhileOpen(withGate(withBreaker(timed, breaker), provider.gate), breaker)
    const tried = withObserver(checkAnswer(guarded), { observer, clock })
    const retried = withRetry(tried, { ...options.retry, maxAttempts, budget: provider.budget, clock, observer, texts })
    return fold(retried, folding)
  }

  function mixed(name: string): Model[] {
    const wanted = options.moa[name]
    if (wanted === undefined) return []
    const referenceTimeoutMs = wanted.referenceTimeoutMs ?? options.timeouts.attemptMs
    const limits = { attemptMs: referenceTimeoutMs, maxAttempts: 2 }
    return [
      mixture({
        id: `moa/${name}`,
        references: wanted.references.map((id) => candidate(id, limits)),
        aggregator: candidate(wanted.aggregator, whole),
        minSuccessful: wanted.minSuccessful,
        referenceTimeoutMs,
        template: prompts['moa-aggregate'],
        score: scoreAnswer,
        clock,
        observer,
      }),
    ]
  }

  const whole = { attemptMs: options.timeouts.attemptMs, maxAttempts: options.retry.maxAttempts }
  const plain = [...sources.keys()].map((id) => candidate(id, whole))
  const all = [...plain, ...Object.keys(options.moa).flatMap(mixed), extractive]
  return {
    models: new Map(all.map((model) => [model.id, model])),
    priceOf: (id) => sources.get(id)?.price ?? {},
    breakerState: (id) => (id === EXTRACTIVE_ID ? 'closed' : (sources.get(id)?.breaker.state() ?? 'closed')),
    async close() {
      await Promise.all(providers.map(({ transport }) => transport.close()))
    },
  }
}
