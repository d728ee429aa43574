import type { Fault } from '../domain/errors.ts'
import { EXTRACTIVE_ID } from '../models/extractive-id.ts'
import type { ConfigFile } from './schema.ts'

export interface Candidates {
  readonly candidates: readonly string[]
  readonly notes: readonly string[]
  readonly faults: readonly Fault[]
}

/** Ids that can be a candidate: `provider/model`, a remote provider's name, `moa/<name>`, the embedded model. */
export function knownIds(config: Pick<ConfigFile, 'providers' | 'moa'>): Set<string> {
  const ids = Object.entries(config.providers).flatMap(([name, provider]) =>
    provider.type === 'remote' ? [name] : Object.keys(provider.models).map((model) => `${name}/${model}`),
  )
  return new Set([...ids, ...Object.keys(config.moa).map((name) => `moa/${name}`), EXTRACTIVE_ID])
}

/** The chain in order, and a fault for every name nobody configured. */
export function checkCandidates(config: ConfigFile): Candidates {
  const known = knownIds(config)
  const configured = [...known].filter((id) => !id.startsWith('moa/') && id !== EXTRACTIVE_ID)
  const candidates = config.candidates ?? (configured.length > 0 ? configured : [EXTRACTIVE_ID])
  const notes =
    config.candidates === undefined && configured.length === 0
      ? [
          'the embedded extractive model, because no provider is configured (summaries are marked as made without a language model)',
        ]
      : []
  const faults = [
    ...candidates.flatMap((id, index) => unknownFault(`candidates.${index}`, id)),
    ...Object.entries(config.moa).flatMap(([name, { references, aggregator, minSuccessful }]) => [
      ...references.flatMap((id, index) => unknownFault(`moa.${name}.references.${index}`, id)),
      ...unknownFault(`moa.${name}.aggregator`, aggregator),
      ...[...references, aggregator].filter((id) => id.startsWith('moa/')).map((id) => nested(name, id)),
      ...(minSuccessful > references.length
        ? [{ path: `moa.${name}.minSuccessful`, message: `is more than its ${references.length} references` }]
        : []),
    ]),
  ]
  return { candidates: [...new Set(candidates)], notes, faults }

  function unknownFault(path: string, id: string): Fault[] {
    return known.has(id) ? [] : [{ path, message: `${id} is not configured; known are ${[...known].join(', ')}` }]
  }
}

/** A mixture that asks a mixture multiplies calls without bound (docs/spec/lists.md §19.1). */
function nested(name: string, id: string): Fault {
  return { path: `moa.${name}`, message: `${id} is a mixture itself; a mixture takes models only` }
}
