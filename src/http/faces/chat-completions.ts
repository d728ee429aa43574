import type { FastifyInstance, FastifyReply } from 'fastify'
import { chunksOf } from '../../pipelines/prompt/chat-completions.ts'
import { type ChatCompletionResult, chatCompletionResult } from '../../pipelines/prompt/chat-completions-schema.ts'
import { ENDPOINTS } from '../../requests/endpoints.ts'
import { type EventStream, openEvents } from '../answers/events.ts'
import { onTheClock } from '../answers/request-clock.ts'
import { failedWith, problemOf } from '../plugins/problems.ts'
import { type Asking, callOf, sendAnswer, type WorkDependencies } from '../routes/work.ts'

const NAME = 'chat-completions'

/** `POST /v1/chat/completions`: the face for clients that speak OpenAI chat (http-api §2). */
export function chatCompletionsRoute(app: FastifyInstance, dependencies: WorkDependencies): void {
  app.post(ENDPOINTS[NAME].path, { config: { work: true } }, (request, reply) =>
    onTheClock({ request, reply }, dependencies, (clock) =>
      answer({ name: NAME, request, reply, clock }, dependencies),
    ),
  )
}

async function answer(asking: Asking, { offload, pipelines: deps }: WorkDependencies): Promise<FastifyReply> {
  const { request, reply, clock } = asking
  let stream: EventStream | undefined
  try {
    const call = callOf(asking, true)
    // The pipeline says `stream` as soon as it has read the body; heartbeats run from then on.
    const emit = ({ name }: { readonly name: string }) => {
      if (name === 'stream') stream = openEvents(reply)
    }
    const result = await offload.run({ call, deps, emit }, clock.signal)
    if (stream === undefined) return sendAnswer(request, reply, result)
    request.answeredBy = result.model
    // Where no heartbeat went out before, the headers are still to be sent.
    if (result.cache !== undefined && !stream.begun) reply.header('x-recapd-cache', result.cache)
    const completion: ChatCompletionResult = chatCompletionResult.parse(JSON.parse(result.json))
    for (const chunk of chunksOf(completion)) stream.data(JSON.stringify(chunk))
    stream.data('[DONE]')
  } catch (thrown) {
    // Before the first byte a failure is an ordinary problem answer.
    if (stream === undefined || !stream.begun) throw thrown
    stream.data(JSON.stringify({ error: problemOf(failedWith(request, thrown), request.id).error }))
  } finally {
    stream?.end()
  }
  return reply
}
