import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { isErrorCode } from '../../domain/errors.ts'
import { openapiDocument } from '../openapi/document.ts'
import type { Lifecycle } from '../plugins/lifecycle.ts'
import { notFound } from '../plugins/not-found.ts'
import { PROBLEMS } from '../plugins/problems.ts'

const OPENAPI_YAML = new URL('../../../openapi.yaml', import.meta.url)

/** What `/readyz` says besides its status. */
export interface Readiness {
  /** True after the event loop has been held up for half a minute. */
  stalled(): boolean
  /** True while long work waits and no worker takes any for 5 s. */
  starved(): boolean
  models(): readonly { readonly id: string; readonly breaker: 'closed' | 'half-open' | 'open' }[]
  /** `degraded`: only the embedded model would answer now. */
  mode(): 'model' | 'degraded'
}

interface OperationsDependencies {
  readonly lifecycle: Lifecycle
  readonly readiness: Readiness
  readonly version: string
}

/** Health, version, the API description, and the pages problem types lead to. None asks a provider. */
export function operationsRoutes(
  app: FastifyInstance,
  { lifecycle, readiness, version }: OperationsDependencies,
): void {
  const open = { config: { access: 'open' as const } }
  const alive = async () => ({ status: 'ok' })
  app.get('/livez', open, alive)
  app.get('/healthz', open, alive)

  // Stays 200 when every provider is down: an outage of theirs must not take all replicas out (docs/spec/contract.md §7).
  app.get('/readyz', open, async (_request, reply) => {
    const checks = {
      config: true,
      accepting: lifecycle.state === 'ready',
      eventLoop: !readiness.stalled(),
      workers: !readiness.starved(),
    }
    const ready = Object.values(checks).every(Boolean)
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks, mode: readiness.mode(), models: readiness.models() })
  })
  app.get('/version', open, async () => ({ name: 'recapd', version, node: process.version }))

  // The file that is checked in, which a test compares with the document; the start does not wait for what few ask for.
  app.get('/openapi.yaml', open, async (_request, reply) =>
    reply.header('content-type', 'application/yaml; charset=utf-8').send(await readFile(OPENAPI_YAML)),
  )
  let document: ReturnType<typeof openapiDocument> | undefined
  app.get('/openapi.json', open, async () => {
    document ??= openapiDocument(version)
    return document
  })

  app.get<{ Params: { code: string } }>('/problems/:code', open, async (request, reply) => {
    const { code } = request.params
    const row = isErrorCode(code) ? PROBLEMS[code] : undefined
    if (row === undefined) throw notFound()
    const retry = row.retryable
      ? 'The same request may succeed later.'
      : 'Sending the same request again will not help.'
    const text = `${code}\n\n${row.title} (HTTP ${row.status}). ${retry}\nThe answer's \`detail\` says what was wrong with your request and what would mend it.\n`
    return reply.header('content-type', 'text/plain; charset=utf-8').send(text)
  })
}
