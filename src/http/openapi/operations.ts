import { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint, type EndpointName } from '../../requests/endpoints.ts'
import { FACES } from '../faces/face-routes.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { JOB_OPERATIONS } from './job-operations.ts'
import type { Operation } from './operation.ts'

const health = z.object({ status: z.string() })

/** Of what needs a key in some places. */
const GUARDED: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'rate-limited']
const PAGE = { responseType: 'text/html', problems: [...GUARDED, 'not-found'] } as const satisfies Partial<Operation>

/** Every operation of the service, in the order of the document: those that take a body come from the table of endpoints. */
export const OPERATIONS: readonly Operation[] = [
  ...ENDPOINT_NAMES.map(operationOf),
  ...JOB_OPERATIONS,
  {
    method: 'get',
    path: '/v1/models',
    operationId: 'listModels',
    tag: 'summaries',
    summary: 'The models this caller may use, the default chain first',
    response: z.object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          id: z.string(),
          object: z.literal('model'),
          created: z.int(),
          owned_by: z.string(),
          context_window: z.int(),
          max_output_tokens: z.int().optional(),
        }),
      ),
    }),
    problems: ['unauthorized', 'forbidden', 'rate-limited'],
  },
  { ...plain('/livez', 'livez', 'Is the process alive? Asks nobody.'), response: health },
  { ...plain('/healthz', 'healthz', 'The same as /livez.'), response: health },
  {
    ...plain(
      '/readyz',
      'readyz',
      'Does it take work? Stays 200 when every provider is down; the body says how each stands.',
    ),
    response: z.object({
      status: z.string(),
      checks: z.record(z.string(), z.boolean()),
      mode: z.enum(['model', 'degraded']),
      models: z.array(z.object({ id: z.string(), breaker: z.enum(['closed', 'half-open', 'open']) })),
    }),
    alike: { 503: 'It takes no work now: `checks` says why.' },
  },
  {
    ...plain('/version', 'version', 'What runs here.'),
    response: z.object({ name: z.string(), version: z.string(), node: z.string() }),
  },
  {
    ...plain('/metrics', 'metrics', 'Prometheus metrics. Off loopback a key is needed where there are keys.'),
    responseType: 'text/plain',
    problems: GUARDED,
  },
  { ...plain('/openapi.yaml', 'openapiYaml', 'This description.'), responseType: 'application/yaml' },
  {
    ...plain('/openapi.json', 'openapiJson', 'This description as JSON.'),
    response: z.looseObject({ openapi: z.string() }),
  },
  {
    ...plain('/problems/{code}', 'problemPage', 'What a problem means: where its `type` leads.'),
    responseType: 'text/plain',
    problems: ['not-found'],
  },
  { ...plain('/', 'playground', 'The playground page.'), ...PAGE },
  { ...plain('/docs', 'docs', 'This description as a page.'), ...PAGE },
]

function plain(path: string, operationId: string, summary: string) {
  return {
    method: 'get',
    path,
    operationId,
    tag: 'operations',
    summary,
    access: 'open',
    problems: [],
  } as const
}

function operationOf(name: EndpointName): Operation {
  const { path, request, result, ndjson, trial }: Endpoint = ENDPOINTS[name]
  const job = trial !== undefined
  return {
    method: 'post',
    path,
    operationId: camelCase(name),
    request,
    response: result,
    ndjson,
    job,
    errorShape: isFace(name) ? FACES[name].errorShape : 'problem',
    ...DESCRIPTIONS[name],
    problems: job
      ? [...DESCRIPTIONS[name].problems, 'idempotency-mismatch', 'budget-exhausted']
      : DESCRIPTIONS[name].problems,
  }
}

function isFace(name: EndpointName): name is keyof typeof FACES {
  return Object.hasOwn(FACES, name)
}

/** `branch-summary` → `branchSummary`, as generated clients call their functions. */
function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
