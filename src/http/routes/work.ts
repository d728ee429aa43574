import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { CallContext, PipelineDeps } from '../../pipelines/pipeline-context.ts'
import type { Emit, PipelineEvent } from '../../pipelines/pipeline-event.ts'
import type { Answer } from '../../requests/answer.ts'
import type { WorkCall } from '../../requests/call.ts'
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint, type EndpointName } from '../../requests/endpoints.ts'
import type { Offload } from '../../workers/offload.ts'
import { answerWithEvents, wantsEvents } from '../answers/events.ts'
import { ownerOf } from '../answers/job-answer.ts'
import { answerAsJob } from '../answers/job-work.ts'
import { type AsyncPreference, asyncPreference, idempotencyKeyOf } from '../answers/preferences.ts'
import { type ClockLimits, type Orphans, onTheClock, type RequestClock } from '../answers/request-clock.ts'
import type { RawBody } from '../plugins/body.ts'

export interface WorkDependencies {
  readonly offload: Offload
  readonly pipelines: PipelineDeps
  readonly limits: ClockLimits
  readonly orphans: Orphans
  readonly jobs: Jobs
}

/** The endpoints of the table that answer in this service's own shape; those of other shapes are the faces'. */
export function workRoutes(app: FastifyInstance, dependencies: WorkDependencies): void {
  for (const name of ENDPOINT_NAMES) {
    const { path, ndjson, events }: Endpoint = ENDPOINTS[name]
    if (events === 'chunks') continue
    app.post<WorkRoute>(path, { config: { work: true, ndjson } }, (request, reply) =>
      onTheClock({ request, reply }, dependencies, (clock) => answer({ name, request, reply, clock }, dependencies)),
    )
  }
}

/** The types of a route's body and query, which `registerBodies` read. */
export interface WorkRoute extends RouteGenericInterface {
  readonly Body: RawBody | undefined
  readonly Querystring: WorkCall['query']
}

type WorkRequest = FastifyRequest<WorkRoute>

/** One request to one endpoint. */
export interface Asking {
  readonly name: EndpointName
  readonly request: WorkRequest
  readonly reply: FastifyReply
  readonly clock: RequestClock
}

function answer(asking: Asking, dependencies: WorkDependencies): Promise<FastifyReply> {
  const { name, request } = asking
  const { events, trial }: Endpoint = ENDPOINTS[name]
  const call = workCallOf(asking, events === 'named' && wantsEvents(request))
  const preference = trial && asyncPreference(request)
  const idempotencyKey = trial && idempotencyKeyOf(request)
  return preference === undefined && idempotencyKey === undefined
    ? answerNow(asking, call, dependencies)
    : answerLater(asking, { call, preference, idempotencyKey }, dependencies)
}

async function answerNow(asking: Asking, call: WorkCall, dependencies: WorkDependencies): Promise<FastifyReply> {
  const { request, reply, clock } = asking
  const { offload, pipelines: deps } = dependencies
  const run = (emit?: Emit) => offload.run({ call, deps, emit }, clock.signal)
  if (!call.context.wantsEvents) return sendAnswer(request, reply, await run())
  return answerWithEvents(request, reply, async (stream) => {
    const tell = (event: PipelineEvent) => stream.event(event.name, JSON.stringify(event.data))
    const result = await run(Object.assign(tell, { room: stream.room }))
    request.answeredBy = result.model
    // An answer that was kept has no deltas: its headers are still to be sent.
    if (result.cache !== undefined && !stream.begun) reply.header('x-recapd-cache', result.cache)
    return result.json
  })
}

interface Later {
  readonly call: WorkCall
  readonly preference: AsyncPreference | undefined
  readonly idempotencyKey: string | undefined
}

/** Faults of the request are answered at once, not by a job that fails. */
async function answerLater(
  { name, request, reply, clock }: Asking,
  { call, preference, idempotencyKey }: Later,
  { offload, pipelines: deps, jobs }: WorkDependencies,
): Promise<FastifyReply> {
  await offload.run({ call: { ...call, isTrial: true }, deps }, clock.signal)
  const submission = {
    call,
    path: ENDPOINTS[name].path,
    owner: ownerOf(request),
    timeoutMs: clock.timeoutMs,
    idempotencyKey,
    retainBody: () => request.retainBody(),
  }
  const send = (answer: Answer) => sendAnswer(request, reply, answer)
  return answerAsJob(request, reply, { jobs, submission, preference, clock, send })
}

/** What a pipeline gets of an HTTP request. */
export function workCallOf({ name, request, clock }: Asking, wantsEvents: boolean): WorkCall {
  const body = request.body
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
    endpoint: name,
    mediaType: body.mediaType,
    bytes: body.bytes,
    values: body.values,
    query: request.query,
    context: contextOf(request, clock, wantsEvents),
  }
}

/** What a pipeline knows of the request beside its body. */
export const contextOf = (request: FastifyRequest, clock: RequestClock, wantsEvents: boolean): CallContext => ({
  requestId: request.id,
  callerName: request.caller.name,
  readWarnings: [],
  deadlineAt: clock.deadlineAt,
  noCache: /\bno-cache\b/i.test(request.headers['cache-control'] ?? ''),
  wantsEvents,
  traceparent: request.traceparent,
  allowedModels: request.caller.models,
})

export function sendAnswer(request: FastifyRequest, reply: FastifyReply, result: Answer): FastifyReply {
  request.answeredBy = result.model
  if (result.cache !== undefined) reply.header('x-recapd-cache', result.cache)
  return reply.header('content-type', 'application/json; charset=utf-8').send(result.json)
}
