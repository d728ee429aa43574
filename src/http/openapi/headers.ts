import type { z } from 'zod'
import { defined } from '../../domain/defined.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { isRecord } from '../../domain/is-record.ts'
import { PROBLEMS } from '../plugins/problems.ts'
import { type Json, schemaOf } from './json-schema.ts'
import type { Operation } from './operation.ts'

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const

const requestHeader = (name: string, description: string, schema: object = text): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
})

const COMMON = [
  requestHeader('x-request-id', 'Taken where it fits `[A-Za-z0-9._:-]{1,128}`, else made.'),
  requestHeader('traceparent', 'W3C trace context; logged, and handed on to the provider.'),
  requestHeader('x-request-timeout-ms', 'Shortens the deadline of this request.', { type: 'integer', minimum: 1 }),
]
const OF_JOBS = [
  requestHeader('prefer', '`respond-async[, wait=N]`: 202 and a job, after N seconds at the most.'),
  requestHeader('idempotency-key', 'The same request under it gets the same job or answer, another one 422.'),
]
const CACHE_CONTROL = requestHeader('cache-control', '`no-cache`: no kept answer.')

/** Headers, path and query of one operation. */
export function parametersOf({
  path,
  parameters = [],
  request,
  ndjson,
  job,
  cacheHeader,
}: Operation): readonly object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }))
  return [
    ...inPath,
    ...parameters,
    ...(request === undefined ? [] : COMMON),
    ...(job === true ? OF_JOBS : []),
    ...(cacheHeader === true ? [CACHE_CONTROL] : []),
    ...(request !== undefined && ndjson === true ? queryOf(request) : []),
  ]
}

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean'])

/** What stands beside the file of an NDJSON request: dots reach into objects. */
function queryOf(request: z.ZodType): readonly Json[] {
  return flattened(schemaOf(request, 'input'), '')
}

function flattened({ properties }: Json, before: string): readonly Json[] {
  return Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) => {
    if (!isRecord(schema)) return []
    const full = `${before}${name}`
    if (schema['type'] === 'object' && schema['properties'] !== undefined) return flattened(schema, `${full}.`)
    const variants: readonly unknown[] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema]
    if (!variants.some((one) => isRecord(one) && (SCALARS.has(one['type']) || Array.isArray(one['type'])))) return []
    return [{ name: full, in: 'query', required: false, description: 'Of an NDJSON request.', schema }]
  })
}

const header = (description: string, schema: object = text): Json => ({ description, schema })

const LIMITS: Json = {
  'ratelimit-limit': header('Requests a window.', whole),
  'ratelimit-remaining': header('Left of it.', whole),
  'ratelimit-reset': header('Seconds until the next one.', whole),
}
const REQUEST_ID: Json = { 'x-request-id': header('Echoed or made.') }
const RETRY_AFTER = header('When to try again, in seconds.', whole)
const NOT_OVER = header('While the job is not over: when to ask again, in seconds.', whole)
const NO_RETRY = header('`false` where the same request would fail again.')
const REPLAYED = header('`true`: an answer or a job that was there.')
const CACHE = header('Whether the answer came from the cache.', { type: 'string', enum: ['hit', 'miss', 'coalesced'] })

/** Headers an answer of that status carries. */
export function headersOf(
  { cacheHeader, job, access, path }: Operation,
  status: number,
  codes: readonly ErrorCode[] = [],
): Json {
  const limited: Json = access === 'open' ? {} : LIMITS
  if (status === 202) {
    return {
      ...REQUEST_ID,
      ...limited,
      'retry-after': RETRY_AFTER,
      location: header('Where the job is.'),
      'preference-applied': header('`respond-async`.'),
      'idempotency-replayed': REPLAYED,
    }
  }
  const isOfJob = path === '/jobs/{id}' && status === 200
  return defined({
    ...REQUEST_ID,
    ...limited,
    'www-authenticate': status === 401 ? header('`Bearer`.') : undefined,
    'retry-after':
      (status === 429 || status === 503) && codes.length > 0 ? RETRY_AFTER : isOfJob ? NOT_OVER : undefined,
    'x-should-retry': codes.some((code) => !PROBLEMS[code].retryable) ? NO_RETRY : undefined,
    'x-recapd-cache': status === 200 && cacheHeader === true ? CACHE : undefined,
    'idempotency-replayed': job === true ? REPLAYED : undefined,
  })
}
