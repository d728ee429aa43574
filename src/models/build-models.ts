import { EXTRACTIVE_ID } from './candidate-ids.ts'
import { type CandidateParts, type Candidates, createCandidates } from './candidates.ts'
import { fallbackChain } from './chain.ts'
import type { CandidateFacts, Models, SelectedModel } from './model.ts'
import type { ModelsOptions } from './options.ts'
import { selectIds } from './selection.ts'
import type { BreakerState } from './wrappers/breaker.ts'

/** The models of a configuration, and what `/readyz`, the metrics and shutting down need of them. */
export interface BuiltModels extends Models, Pick<Candidates, 'breakers' | 'restingKeys' | 'close'> {
  states(): readonly { readonly id: string; readonly breaker: BreakerState }[]
  /** `degraded`: no language model of the default chain would be asked now. */
  mode(): 'model' | 'degraded'
}

/** All candidates once, and one chain a selection, made when it is first asked for. */
export function buildModels(options: ModelsOptions, parts: CandidateParts): BuiltModels {
  const candidates = createCandidates(options, parts)
  const known = [...new Set([...options.candidates, ...candidates.models.keys()])].flatMap(factsOf)
  const ids = new Set(known.map(({ id }) => id))
  const chains = new Map<string, SelectedModel>()

  function factsOf(id: string): CandidateFacts[] {
    const model = candidates.models.get(id)
    if (model === undefined) return []
    const { contextWindow, maxOutputTokens } = model
    return [{ id, contextWindow, maxOutputTokens, price: candidates.priceOf(id) }]
  }

  function selected(chosen: readonly string[]): SelectedModel {
    const models = chosen.flatMap((id) => candidates.models.get(id) ?? [])
    const [first, ...rest] = chosen.flatMap(factsOf)
    if (first === undefined) throw new RangeError('A selection is never empty')
    const { complete } = fallbackChain(models, options, parts)
    return { candidates: [first, ...rest], complete }
  }

  const built: BuiltModels = {
    known,
    chain: options.candidates,
    pinned: () => built,
    select(selection) {
      const chosen = selectIds(selection, options.candidates, ids)
      const name = chosen.join('\n')
      const chain = chains.get(name) ?? selected(chosen)
      chains.set(name, chain)
      return chain
    },
    states: () => options.candidates.map((id) => ({ id, breaker: candidates.breakerState(id) })),
    mode: () =>
      options.candidates.some((id) => id !== EXTRACTIVE_ID && candidates.breakerState(id) !== 'open')
        ? 'model'
        : 'degraded',
    breakers: candidates.breakers,
    restingKeys: candidates.restingKeys,
    close: candidates.close,
  }
  return built
}
