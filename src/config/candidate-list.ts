import { z } from 'zod'
import type { Fault } from '../domain/errors.ts'
import { CALLER_PREFIX, EXTRACTIVE_ID, MIXTURE_PREFIX } from '../models/candidate-ids.ts'
import type { ConfigFile } from './schema.ts'

export interface CandidateList {
  readonly candidates: readonly string[]
  readonly notes: readonly string[]
  readonly faults: readonly Fault[]
}

/** What has a name that others may refer to. */
interface Named {
  readonly providers: Readonly<
    Record<string, { readonly type?: string | undefined; readonly models?: object | undefined }>
  >
  readonly moa: object
}

/** Ids that can be a candidate: `provider/model`, a remote provider's name, `moa/<name>`, the embedded model. */
function knownIds(config: Named): Set<string> {
  const ids = Object.entries(config.providers).flatMap(([name, provider]) =>
    provider.type === 'remote' ? [name] : Object.keys(provider.models ?? {}).map((model) => `${name}/${model}`),
  )
  return new Set([...ids, ...Object.keys(config.moa).map((name) => `${MIXTURE_PREFIX}${name}`), EXTRACTIVE_ID])
}

/** The chain in order, and what is wrong with mixtures of known models. */
export function checkCandidates(config: ConfigFile): CandidateList {
  const known = knownIds(config)
  const configured = [...known].filter((id) => !id.startsWith(MIXTURE_PREFIX) && id !== EXTRACTIVE_ID)
  const candidates = config.candidates ?? (configured.length > 0 ? configured : [EXTRACTIVE_ID])
  const notes =
    config.candidates === undefined && configured.length === 0
      ? [
          'the embedded extractive model, because no provider is configured (summaries are marked as made without a language model)',
        ]
      : []
  const faults = Object.entries(config.moa).flatMap(([name, { references, aggregator, minSuccessful }]) => [
    ...[...references, aggregator].filter((id) => id.startsWith(MIXTURE_PREFIX)).map((id) => nested(name, id)),
    ...(minSuccessful > references.length
      ? [{ path: `moa.${name}.minSuccessful`, message: `is more than its ${references.length} references` }]
      : []),
  ])
  return { candidates: [...new Set(candidates)], notes, faults }
}

/** The part of a file that names things, whatever else is wrong with the file. */
const names = z.object({
  providers: z
    .record(
      z.string(),
      z
        .object({ type: z.string().optional(), models: z.record(z.string(), z.unknown()).catch({}) })
        .catch({ models: {} }),
    )
    .catch({}),
  moa: z
    .record(
      z.string(),
      z
        .object({ references: z.array(z.string()).catch([]), aggregator: z.string().optional().catch(undefined) })
        .catch({ references: [] }),
    )
    .catch({}),
  candidates: z.array(z.string()).catch([]),
  proxy: z.record(z.string(), z.unknown()).catch({}),
})

/** A fault for every name that is referred to and nobody configured; reported together with faults of shape (docs/spec/production.md §7). */
export function unknownReferences(raw: unknown): readonly Fault[] {
  const { providers, moa, candidates, proxy } = names.parse(raw)
  const known = knownIds({ providers, moa })
  const hasProxy = Object.keys(proxy).length > 0
  const unknown = (path: string, id: string): Fault[] =>
    known.has(id) ? [] : [{ path, message: `${id} is not configured; known are ${[...known].join(', ')}` }]
  return [
    ...candidates.flatMap((id, index) =>
      id.startsWith(CALLER_PREFIX)
        ? callerFaults(`candidates.${index}`, id, hasProxy)
        : unknown(`candidates.${index}`, id),
    ),
    ...Object.entries(moa).flatMap(([name, { references, aggregator }]) => [
      ...references.flatMap((id, index) => unknown(`moa.${name}.references.${index}`, id)),
      ...(aggregator === undefined ? [] : unknown(`moa.${name}.aggregator`, aggregator)),
    ]),
  ]
}

/** Only what comes through the proxy has a provider of its own. */
function callerFaults(path: string, id: string, hasProxy: boolean): Fault[] {
  if (!hasProxy) return [{ path, message: `${id} needs a provider under proxy` }]
  return id === CALLER_PREFIX ? [{ path, message: 'names no model; write caller/<model>' }] : []
}

/** A mixture that asks a mixture multiplies calls without bound (docs/spec/lists.md §19.1). */
function nested(name: string, id: string): Fault {
  return { path: `moa.${name}`, message: `${id} is a mixture itself; a mixture takes models only` }
}
