import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { pagesRoutes } from '../../../src/http/routes/pages.ts'
import { STUB_OPENAPI } from '../../web/docs/stub-openapi.ts'
import { ANSWERS, EVENTS } from './stub-answers.ts'
import type { Row, Work } from './stub-rows.ts'

/** How the stub answers work: as it should, with a problem, with a stream that never ends, or with one that breaks off. */
export type Mood = { readonly problem: Row & { readonly status: number } } | 'well' | 'hang' | 'break-off'

export interface StubService {
  readonly origin: string
  /** Requests for work, in order. */
  readonly seen: Work[]
  /** Streams that the client closed before they ended. */
  aborted: number
  mood: Mood
  openapi: object
  stop(): Promise<void>
}

/** The real pages with their real headers, over invented answers. */
export async function startStub(): Promise<StubService> {
  const app = Fastify({ forceCloseConnections: true })
  const seen: Work[] = []
  const stub: StubService = {
    origin: '',
    seen,
    aborted: 0,
    mood: 'well',
    openapi: STUB_OPENAPI,
    stop: () => app.close(),
  }
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  await pagesRoutes(app, { docs: true, access: 'open' })
  operations(app, stub)
  for (const path of Object.keys(ANSWERS)) {
    app.post(path, async (request, reply) => {
      const work = {
        path: request.url,
        query: request.query as Row,
        headers: request.headers as Row,
        text: String(request.body),
      }
      seen.push(work)
      return await answer(path, work, reply.header('x-request-id', 'req-0001'), stub)
    })
  }
  return Object.assign(stub, { origin: await app.listen({ port: 0, host: '127.0.0.1' }) })
}

function operations(app: FastifyInstance, stub: StubService): void {
  app.get('/openapi.json', async () => stub.openapi)
  app.get('/version', async () => ({ name: 'recapd', version: '9.9.9', node: 'v24' }))
  app.get('/readyz', async () => ({ status: 'ready', checks: {}, mode: 'degraded', models: [] }))
  app.get('/v1/models', async () => ({ object: 'list', data: [{ id: 'alpha/small' }, { id: 'beta/large' }] }))
}

async function answer(path: string, work: Work, reply: FastifyReply, stub: StubService): Promise<FastifyReply> {
  const { mood } = stub
  if (typeof mood === 'object') {
    return reply
      .code(mood.problem.status)
      .header('content-type', 'application/problem+json')
      .send(JSON.stringify(mood.problem))
  }
  const json = ANSWERS[path]?.(work)
  const events = EVENTS[path]
  if (events === undefined || !String(work.headers['accept']).includes('text/event-stream')) return reply.send(json)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req-0001' })
  raw.write(': still working\n\n')
  for (const [name, data] of events) raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  if (mood === 'hang') raw.once('close', () => stub.aborted++)
  else raw.end(mood === 'break-off' ? '' : `event: done\ndata: ${JSON.stringify(json)}\n\n`)
  return reply
}
