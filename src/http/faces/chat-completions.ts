import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chunksOf } from '../../pipelines/prompt/chat-completions.ts'
import { type EventStream, openEvents } from '../answers/events.ts'
import { type RequestClock, startRequestClock } from '../answers/request-clock.ts'
import { failedWith, problemOf } from '../plugins/problems.ts'
import { callOf, sendAnswer, type WorkDependencies } from '../routes/work.ts'

/** `POST /v1/chat/completions`: the face for clients that speak OpenAI chat (http-api §2). */
export function chatCompletionsRoute(app: FastifyInstance, dependencies: WorkDependencies): void {
  app.post('/v1/chat/completions', { config: { work: true } }, async (request, reply) => {
    const clock = startRequestClock(request, reply, dependencies.requestMs)
    try {
      return await answer(request, reply, clock, dependencies)
    } finally {
      clock.stop()
    }
  })
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  clock: RequestClock,
  dependencies: WorkDependencies,
): Promise<FastifyReply> {
  let stream: EventStream | undefined
  try {
    const call = callOf('chat-completions', request, clock, true)
    // The pipeline says `stream` as soon as it has read the body; heartbeats run from then on.
    const result = await dependencies.offload.run(call, dependencies.pipelines, clock.signal, () => {
      stream = openEvents(reply)
    })
    if (stream === undefined) return sendAnswer(request, reply, result)
    request.answeredBy = result.model
    // Where no heartbeat went out before, the headers are still to be sent.
    if (result.cache !== undefined && !stream.begun) reply.header('x-recapd-cache', result.cache)
    for (const chunk of chunksOf(JSON.parse(result.json))) stream.data(JSON.stringify(chunk))
    stream.data('[DONE]')
  } catch (thrown) {
    // Before the first byte a failure is an ordinary problem answer.
    if (stream === undefined || !stream.begun) throw thrown
    stream.data(JSON.stringify({ error: problemOf(failedWith(request, thrown), request.id)['error'] }))
  } finally {
    stream?.end()
  }
  return reply
}
