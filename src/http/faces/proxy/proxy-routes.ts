import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RecapdError } from '../../../domain/errors.ts'
import type { KeyRing } from '../../key-ring.ts'
import type { ErrorShape } from '../../plugins/error-shapes.ts'
import { notFound } from '../../plugins/not-found.ts'
import { asksForWebSocket, noWebSockets } from '../../plugins/web-sockets.ts'
import type { WorkDependencies } from '../../routes/work.ts'
import { type AgentDependencies, answerAgentCall } from './answer-agent-call.ts'
import { requestHeaders } from './pass-headers.ts'
import { passThrough } from './pass-through.ts'
import type { ProxyMetrics } from './proxy-metrics.ts'
import { targetPath } from './target-path.ts'
import type { Upstream } from './upstreams.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const ADDRESS = /^\/proxy\/([^/?]*)(.*)$/s

export interface ProxyDependencies extends WorkDependencies, AgentDependencies {
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly keyRing: KeyRing
}

/** `/proxy/<name>/…`: everything goes through byte for byte, but compaction calls, which we answer (docs/spec/faces.md §3). */
export async function proxyRoutes(app: FastifyInstance, dependencies: ProxyDependencies): Promise<void> {
  const { upstreams } = dependencies
  if (upstreams.size === 0) return
  app.addHook('onClose', async () => {
    await Promise.all([...upstreams.values()].map(({ dispatcher }) => dispatcher.destroy()))
  })
  await app.register(async (scope) => {
    // No body is read before it is known whether it is ours to read.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const errorShape = (request: FastifyRequest): ErrorShape => shapeFor(upstreams.get(nameOf(request))?.speaks)
    scope.route({
      method: METHODS,
      url: '/proxy/*',
      config: { work: true, errorShape },
      handler: (request, reply) => answer(request, reply, dependencies),
    })
  })
}

const shapeFor = (speaks: Upstream['speaks'] | undefined): ErrorShape =>
  speaks === undefined || speaks === 'openai' ? 'problem' : speaks

const addressOf = (request: FastifyRequest) => ADDRESS.exec(request.raw.url ?? '')
const nameOf = (request: FastifyRequest): string => addressOf(request)?.[1] ?? ''

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: ProxyDependencies,
): Promise<FastifyReply> {
  const upstream = dependencies.upstreams.get(nameOf(request))
  if (upstream === undefined) throw notFound()
  if (asksForWebSocket(request)) throw noWebSockets()
  const path = targetPath(upstream.basePath, addressOf(request)?.[2] ?? '')
  if (path === null) throw climbing()
  const headers = requestHeaders(request.raw.rawHeaders, isKey(request.ownKey, dependencies.keyRing))
  const read = await answerAgentCall({ request, reply, upstream, path, headers }, dependencies)
  if (read.kind === 'answered') return reply
  dependencies.counters.request(read.agent, 'pass')
  return pass({ request, reply, upstream, path, headers: read.headers, body: read.body, ...dependencies })
}

interface Way {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly upstream: Upstream
  readonly path: string
  readonly headers: readonly string[]
  readonly body: Parameters<typeof passThrough>[0]['body']
  readonly counters: ProxyMetrics
}

async function pass({ request, reply, upstream, path, headers, body, counters }: Way): Promise<FastifyReply> {
  try {
    await passThrough({
      upstream: upstream.dispatcher,
      path,
      headers,
      body,
      request: request.raw,
      response: reply.raw,
      onHead: () => reply.hijack(),
      onBytes: counters.bytes,
    })
  } catch (cause) {
    throw unreachable(upstream.name, cause)
  }
  return reply
}

/** Our keys are for this service only: removed are the one that was used, in whichever header, and any other where keys are looked for. */
const isKey = (own: string | undefined, keyRing: KeyRing) => (name: string, value: string) => {
  const key = name === 'authorization' ? value.replace(/^Bearer[ \t]+/i, '') : value
  return key === own || (CARRIERS.has(name) && keyRing.find([key])?.key !== undefined)
}

const CARRIERS: ReadonlySet<string> = new Set(['x-api-key', 'authorization'])

const climbing = (): RecapdError =>
  new RecapdError('invalid-request', 'The path leads out of the upstream; send it without dot segments.')

const unreachable = (name: string, cause: unknown): RecapdError =>
  new RecapdError(
    'upstream-unreachable',
    `The upstream ${name} did not answer; try again, or check proxy.${name}.url.`,
    { cause },
  )
