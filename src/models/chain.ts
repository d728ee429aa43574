import { type CandidateParts, candidateModels } from './candidates.ts'
import { chainFailure } from './failures/chain-failure.ts'
import { EXTRACTIVE_ID } from './failures/deadline.ts'
import { type CandidateFacts, type Model, ModelError, type Models, type SelectedModel } from './model.ts'
import type { ModelsOptions } from './options.ts'
import { selectIds } from './selection.ts'
import { wrapModel } from './wrap-model.ts'
import type { BreakerState } from './wrappers/breaker.ts'
import { cache } from './wrappers/cache.ts'
import { fallback } from './wrappers/fallback.ts'
import { hedge } from './wrappers/hedge.ts'
import { requestKey } from './wrappers/sharing/request-key.ts'
import { singleFlight } from './wrappers/single-flight.ts'

/** The models of a configuration, and what `/readyz` and shutting down need of them. */
export interface BuiltModels extends Models {
  states(): readonly { readonly id: string; readonly breaker: BreakerState }[]
  /** `degraded`: no language model of the default chain would be asked now. */
  mode(): 'model' | 'degraded'
  /** Waits for running exchanges, then closes every connection. */
  close(): Promise<void>
}

/**
 * The whole nesting in one screen. A chain is: single flight of the cache of the fallback (hedged, where that is on) over
 * its candidates; each candidate is what candidates.ts makes of it. One chain a selection, made when it is first asked for.
 */
export function buildModels(options: ModelsOptions, parts: CandidateParts): BuiltModels {
  const { clock, observer, store } = parts
  const candidates = candidateModels(options, parts)
  const known = [...new Set([...options.candidates, ...candidates.models.keys()])].flatMap((id) => factsOf(id))
  const ids = new Set(known.map(({ id }) => id))
  const racing = options.hedge.enabled ? hedge({ afterMs: options.hedge.afterMs, clock }) : undefined
  const chains = new Map<string, SelectedModel>()

  function factsOf(id: string): CandidateFacts[] {
    const model = candidates.models.get(id)
    return model === undefined ? [] : [{ ...facts(model), ...candidates.priceOf(id) }]
  }

  function chainOf(chosen: readonly string[]): SelectedModel {
    const id = chosen.join(' > ')
    const models = chosen.flatMap((name) => candidates.models.get(name) ?? [])
    const lastResort = chosen.includes(EXTRACTIVE_ID) ? candidates.models.get(EXTRACTIVE_ID) : undefined
    const chain = singleFlight(
      cache(fallback(models, { id, clock, observer, ...(racing === undefined ? {} : { hedge: racing }) }), {
        key: requestKey(id),
        store,
        ttlMs: options.cache.ttlMs,
        clock,
        observer,
      }),
      {
        requestMs: options.timeouts.requestMs,
        clock,
        observer,
        ...(lastResort === undefined ? {} : { lastResort }),
      },
    )
    const [first, ...rest] = chosen.flatMap((name) => factsOf(name))
    if (first === undefined) throw new RangeError('A selection is never empty')
    return { ...withProblems(chain), candidates: [first, ...rest] }
  }

  return {
    known,
    select(selection) {
      const chosen = selectIds(selection, options.candidates, ids)
      const name = chosen.join('\n')
      const chain = chains.get(name) ?? chainOf(chosen)
      chains.set(name, chain)
      return chain
    },
    states: () => options.candidates.map((id) => ({ id, breaker: candidates.breakerState(id) })),
    mode: () =>
      options.candidates.some((id) => id !== EXTRACTIVE_ID && candidates.breakerState(id) !== 'open')
        ? 'model'
        : 'degraded',
    close: candidates.close,
  }
}

const facts = ({ id, contextWindow, maxOutputTokens }: Model): CandidateFacts => ({
  id,
  contextWindow,
  ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
})

/** Outermost: a failed chain becomes the problem its caller is told of (models.md §10). */
function withProblems(model: Model): Model {
  return wrapModel(model, (request, signal) =>
    model.complete(request, signal).catch((error: unknown) => {
      throw error instanceof ModelError ? chainFailure(error) : error
    }),
  )
}
