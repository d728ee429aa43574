import type { Prompts } from '../domain/prompts/prompts-shape.ts'
import { render } from '../domain/text/render.ts'
import type { LimitsOf } from './callers/caller-limits.ts'
import type { Spending } from './callers/spending.ts'
import { EXTRACTIVE_ID } from './candidate-ids.ts'
import type { Clock } from './clock.ts'
import { chainFailure } from './failures/chain-failure.ts'
import { type Model, wrapModel } from './model.ts'
import { ModelError } from './model-error.ts'
import type { ModelObserver } from './observer.ts'
import type { ModelsOptions } from './options.ts'
import type { Source } from './sources/provider.ts'
import type { Store } from './stores/store.ts'
import { withAnswerCheck } from './wrappers/answer-check.ts'
import { withBreaker, withEarlyRefusal } from './wrappers/breaker.ts'
import { withBudget } from './wrappers/budget.ts'
import { withCache } from './wrappers/cache.ts'
import { withConcurrency } from './wrappers/concurrency.ts'
import { withFallback } from './wrappers/fallback.ts'
import { withFold } from './wrappers/fold.ts'
import type { FoldOptions } from './wrappers/folding/fold-parts.ts'
import { createHedge } from './wrappers/hedge.ts'
import { withKeys } from './wrappers/keys.ts'
import { withObserver } from './wrappers/observe.ts'
import { withRetry } from './wrappers/retry.ts'
import { requestKey } from './wrappers/sharing/request-key.ts'
import { withSingleFlight } from './wrappers/single-flight.ts'
import { withTimeout } from './wrappers/timeout.ts'

/** What every wrapper may need of the process. */
export interface ChainParts {
  readonly store: Store
  readonly clock: Clock
  readonly observer: ModelObserver
  readonly prompts: Prompts
  readonly planFold: NonNullable<FoldOptions['plan']>
  /** What keys may take, and what they have used. */
  readonly limitsOf: LimitsOf
  readonly spending: Spending
}

/** Time and tries of one candidate; a reference of a mixture has fewer of both (docs/spec/models.md §10). */
export interface CandidateLimits {
  readonly attemptMs: number
  readonly maxAttempts: number
}

type Wrapper = (model: Model) => Model

/** A candidate, from the call to its outermost wrapper. No wrapper knows which source is inside. */
export function candidateChain(
  { source, provider, breaker, price }: Source,
  { attemptMs, maxAttempts }: CandidateLimits,
  { options, parts }: { readonly options: ModelsOptions; readonly parts: ChainParts },
): Model {
  const { clock, observer, prompts } = parts
  const texts = { brevity: prompts.brevity, reminder: prompts.reminder }
  const folding = {
    ...options.fold,
    templates: foldTemplates(prompts),
    clock,
    observer,
    plan: parts.planFold,
    freePlaces: () => provider.limit.free(),
  }
  const { pool, limit, budget } = provider
  const nesting: readonly Wrapper[] = [
    (model) => withTimeout(model, { ...options.timeouts, attemptMs, clock }),
    (model) => withBreaker(model, breaker),
    (model) => withConcurrency(model, { limit, clock, observer }),
    (model) => withEarlyRefusal(model, breaker),
    (model) => withAnswerCheck(model),
    (model) => withObserver(model, { observer, clock, price }),
    (model) => withRetry(model, { ...options.retry, maxAttempts, budget, clock, observer, texts }),
    (model) => withFold(model, folding),
  ]
  return nesting.reduce((model, wrap) => wrap(model), withKeys(source, { pool, clock }))
}

/** A chain of candidates, up to what its callers see. */
export function fallbackChain(candidates: readonly Model[], options: ModelsOptions, parts: ChainParts): Model {
  const { store, clock, observer, limitsOf, spending } = parts
  const { hedge, cache, timeouts } = options
  const id = candidates.map((candidate) => candidate.id).join(' > ')
  const lastResort = candidates.find((candidate) => candidate.id === EXTRACTIVE_ID)
  const racing = hedge.enabled ? createHedge({ afterMs: hedge.afterMs, clock }) : undefined
  const nesting: readonly Wrapper[] = [
    (model) => (id === EXTRACTIVE_ID ? model : withBudget(model, { limitsOf, spending, clock })),
    (model) => withCache(model, { key: requestKey(id), store, ttlMs: cache.ttlMs, clock, observer }),
    (model) => withSingleFlight(model, { requestMs: timeouts.requestMs, clock, observer, lastResort }),
    withProblems,
  ]
  return nesting.reduce((model, wrap) => wrap(model), withFallback(candidates, { id, clock, observer, hedge: racing }))
}

/** Outermost: a failed chain becomes the problem that its caller gets (docs/spec/models.md §10). */
function withProblems(model: Model): Model {
  return wrapModel(model, (request, signal) =>
    model.complete(request, signal).catch((error: unknown) => {
      throw error instanceof ModelError ? chainFailure(error) : error
    }),
  )
}

/** What one step of a sequential fold aims at. */
const UPDATE_TOKENS = 1_000

const foldTemplates = (prompts: Prompts): FoldOptions['templates'] => ({
  part: prompts['fold-part'],
  merge: prompts['fold-merge'],
  update: render(prompts['compaction-update-summary'], { budget: UPDATE_TOKENS }),
})
