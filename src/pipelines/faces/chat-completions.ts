import { viewRequest } from '../../domain/agents/request-view.ts'
import { RecapdError } from '../../domain/errors.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import type { ChatCompletionRequest } from './chat-completions-schema.ts'
import { chatCompletionOf, faceAnswer } from './face-answer.ts'
import { summarizeFaceRequest } from './summarize-request.ts'

/** `POST /v1/chat/completions`: one prompt, or a history and its request for a summary (docs/spec/reading.md §5). */
export async function chatCompletions(call: PipelineCall<ChatCompletionRequest>, signal: AbortSignal) {
  const { request, emit } = call
  const view = viewRequest('chat', request)
  if (view === null) throw new RecapdError('invalid-request', 'messages: expected a list of messages.')
  if (request.stream === true) emit?.({ name: 'stream', data: {} })
  const maxTokens = request.max_completion_tokens ?? request.max_tokens ?? undefined
  const made = await summarizeFaceRequest({ ...call, request: { view, model: request.model, maxTokens } }, signal)
  return { ...chatCompletionOf(faceAnswer(made, call)), cache: made.cache }
}
