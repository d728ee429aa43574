import { randomUUID } from 'node:crypto'
import { RecapdError } from '../../domain/errors.ts'
import type { Emit } from '../../pipelines/pipeline-event.ts'
import type { EndpointName } from '../../requests/endpoints.ts'
import { execute } from '../../requests/execute.ts'
import { CommandError, EXIT } from './command.ts'
import { faultLines } from './fault-lines.ts'
import type { OpenPipelines } from './open-pipelines.ts'
import type { Input } from './read-input.ts'

export interface EndpointCall {
  readonly endpoint: EndpointName
  readonly input: Input
  /** What a request would say beside its rows. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Nobody answers in its place, and its answer is made now, not taken from the cache. */
  readonly onlyModel?: string | undefined
  readonly emit?: Emit | undefined
}

/** The JSON that an endpoint of the service answers to this file. A failure names the file and how each model did. */
export async function runEndpoint(
  { deps, requestMs }: OpenPipelines,
  { endpoint, input, parameters, onlyModel, emit }: EndpointCall,
  signal: AbortSignal,
): Promise<string> {
  const deadline = AbortSignal.timeout(requestMs)
  const context = {
    requestId: randomUUID(),
    callerName: 'command-line',
    deadlineAt: Date.now() + requestMs,
    noCache: onlyModel !== undefined,
    allowedModels: onlyModel === undefined ? undefined : [onlyModel],
    wantsEvents: emit !== undefined,
    readWarnings: [],
  }
  const call = { endpoint, context, ...bodyOf(input, parameters) }
  try {
    const { json } = await execute({ call, deps, emit }, AbortSignal.any([signal, deadline]))
    return json
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof RecapdError)
      throw new CommandError(exitCodeOf(error), faultLines(error, input.name).join('\n'))
    throw error
  }
}

function bodyOf(input: Input, parameters: EndpointCall['parameters']) {
  if (input.kind === 'lines') return { mediaType: 'ndjson' as const, bytes: input.bytes, query: queryOf(parameters) }
  const body = JSON.stringify({ ...input.body, ...parameters })
  return { mediaType: 'json' as const, bytes: Buffer.from(body), query: {} }
}

/** `{settings: {keepRecentTokens: 9}}` → `{'settings.keepRecentTokens': '9'}`, as in the query of a request. */
function queryOf(parameters: object, prefix = ''): Record<string, string> {
  const rows = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return Object.assign(
    {},
    ...rows.map(([name, value]) =>
      typeof value === 'object' ? queryOf(value, `${prefix}${name}.`) : { [`${prefix}${name}`]: String(value) },
    ),
  )
}

const OF_MODELS: readonly string[] = [
  'models-unusable',
  'models-failed',
  'no-model-available',
  'overloaded',
  'deadline-exceeded',
]

const exitCodeOf = ({ code }: RecapdError): number => (OF_MODELS.includes(code) ? EXIT.unavailable : EXIT.data)
