import type { FastifyInstance, FastifyReply } from 'fastify'
import { keysOf } from '../../domain/keys-of.ts'
import { ENDPOINTS } from '../../requests/endpoints.ts'
import { type EventStream, openEvents } from '../answers/events.ts'
import { onTheClock } from '../answers/request-clock.ts'
import type { ErrorShape } from '../plugins/error-shapes.ts'
import { failedWith, problemOf } from '../plugins/problems.ts'
import { type Asking, sendAnswer, type WorkDependencies, type WorkRoute, workCallOf } from '../routes/work.ts'
import { chatStream, type FaceStreams, messagesStream, responsesStream } from './face-streams.ts'

/** The endpoints that speak in other people's shapes, and how they stream and fail (docs/spec/faces.md §1, §2). */
export const FACES = {
  'chat-completions': { streams: chatStream, errorShape: 'problem' },
  messages: { streams: messagesStream, errorShape: 'anthropic' },
  responses: { streams: responsesStream, errorShape: 'problem' },
} as const satisfies Readonly<Record<string, { streams: FaceStreams; errorShape: ErrorShape }>>

export function faceRoutes(app: FastifyInstance, dependencies: WorkDependencies): void {
  for (const name of keysOf(FACES)) {
    const { errorShape, streams } = FACES[name]
    app.post<WorkRoute>(ENDPOINTS[name].path, { config: { work: true, errorShape } }, (request, reply) =>
      onTheClock({ request, reply }, dependencies, (clock) =>
        answer({ name, request, reply, clock }, streams, dependencies),
      ),
    )
  }
}

async function answer(
  asking: Asking,
  streams: FaceStreams,
  { offload, pipelines: deps }: WorkDependencies,
): Promise<FastifyReply> {
  const { request, reply, clock } = asking
  const face = streams({ id: request.id, createdAt: Date.now() })
  let stream: EventStream | undefined
  try {
    const call = workCallOf(asking, true)
    // The pipeline says `stream` as soon as it has read the body; heartbeats run from then on.
    const emit = ({ name }: { readonly name: string }) => {
      if (name === 'stream') stream = openEvents(reply, face.heartbeat)
    }
    const result = await offload.run({ call, deps, emit }, clock.signal)
    if (stream === undefined) return sendAnswer(request, reply, result)
    request.answeredBy = result.model
    // Where no heartbeat went out before, the headers are still to be sent.
    if (result.cache !== undefined && !stream.begun) reply.header('x-recapd-cache', result.cache)
    stream.text(face.answer(result.json))
  } catch (thrown) {
    // Before the first byte a failure is an ordinary problem answer.
    if (stream === undefined || !stream.begun) throw thrown
    stream.text(face.failure(problemOf(failedWith(request, thrown), request.id)))
  } finally {
    stream?.end()
  }
  return reply
}
