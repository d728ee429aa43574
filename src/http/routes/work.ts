import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import type { CallContext, Emit, PipelineDeps } from '../../pipelines/pipeline-context.ts'
import type { Answer, Call, EndpointName } from '../../requests/call.ts'
import type { Offload } from '../../workers/pool.ts'
import { answerWithEvents, wantsEvents } from '../answers/events.ts'
import { type RequestClock, startRequestClock } from '../answers/request-clock.ts'
import { traceparentOf } from '../plugins/access-log.ts'
import type { RawBody } from '../plugins/body.ts'

export interface WorkDependencies {
  readonly offload: Offload
  readonly pipelines: PipelineDeps
  readonly requestMs: number
}

interface Work {
  readonly path: string
  readonly endpoint: EndpointName
  /** Takes session files as they lie on disk. */
  readonly ndjson: boolean
  /** Streams when `Accept: text/event-stream` asks for it. */
  readonly events: boolean
}

const WORK: readonly Work[] = [
  { path: '/summarize', endpoint: 'summarize', ndjson: false, events: true },
  { path: '/compact', endpoint: 'compact', ndjson: true, events: true },
  { path: '/branch-summary', endpoint: 'branch-summary', ndjson: true, events: true },
  { path: '/check', endpoint: 'check', ndjson: true, events: false },
  { path: '/prune', endpoint: 'prune', ndjson: true, events: false },
  { path: '/context', endpoint: 'context', ndjson: true, events: false },
]

/** The endpoints that take a body and answer with the result of one pipeline. */
export function workRoutes(app: FastifyInstance, dependencies: WorkDependencies): void {
  for (const work of WORK) {
    app.post(work.path, { config: { work: true, ndjson: work.ndjson } }, (request, reply) =>
      answer(work, request, reply, dependencies),
    )
  }
}

async function answer(
  work: Work,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: WorkDependencies,
): Promise<FastifyReply> {
  const clock = startRequestClock(request, reply, dependencies.requestMs)
  const streamed = work.events && wantsEvents(request)
  try {
    const call = callOf(work.endpoint, request, clock, streamed)
    const run = (emit?: Emit) => dependencies.offload.run(call, dependencies.pipelines, clock.signal, emit)
    if (!streamed) return sendAnswer(request, reply, await run())
    return await answerWithEvents(request, reply, async (stream) => {
      const result = await run((event, data) => stream.event(event, JSON.stringify(data)))
      request.answeredBy = result.model
      // An answer that was kept has no deltas: its headers are still to be sent.
      if (result.cache !== undefined && !stream.begun) reply.header('x-recapd-cache', result.cache)
      return result.json
    })
  } finally {
    clock.stop()
  }
}

/** What a pipeline gets of an HTTP request. */
export function callOf(endpoint: EndpointName, request: FastifyRequest, clock: RequestClock, events: boolean): Call {
  const body = request.body as RawBody | undefined
  if (body === undefined) {
    throw new RecapdError(
      'invalid-request',
      'The request has no body; send JSON with content-type: application/json.',
      {
        errors: [{ path: '', message: 'expected a body' }],
      },
    )
  }
  return {
    endpoint,
    mediaType: body.mediaType,
    bytes: body.bytes,
    query: request.query as Call['query'],
    context: contextOf(request, clock, events),
  }
}

function contextOf(request: FastifyRequest, clock: RequestClock, events: boolean): CallContext {
  const traceparent = traceparentOf(request)
  const { models } = request.caller
  return {
    requestId: request.id,
    callerName: request.caller.name,
    readWarnings: [],
    deadlineAt: clock.deadlineAt,
    noCache: /\bno-cache\b/i.test(request.headers['cache-control'] ?? ''),
    wantsEvents: events,
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(models === undefined ? {} : { allowedModels: models }),
  }
}

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, result: Answer): FastifyReply {
  request.answeredBy = result.model
  if (result.cache !== undefined) reply.header('x-recapd-cache', result.cache)
  return reply.header('content-type', 'application/json; charset=utf-8').send(result.json)
}
