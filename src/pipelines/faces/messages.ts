import { viewRequest } from '../../domain/agents/request-view.ts'
import { RecapdError } from '../../domain/errors.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import { faceAnswer, messageOf } from './face-answer.ts'
import type { MessagesRequest } from './messages-schema.ts'
import { summarizeFaceRequest } from './summarize-request.ts'

/** `POST /v1/messages`: a conversation and its request for a summary in, one message out (docs/spec/faces.md §2). */
export async function messages(call: PipelineCall<MessagesRequest>, signal: AbortSignal) {
  const { request, emit } = call
  const view = viewRequest('messages', request)
  if (view === null) throw new RecapdError('invalid-request', 'messages: expected a list of messages.')
  if (request.stream === true) emit?.({ name: 'stream', data: {} })
  const asked = { view, model: request.model, maxTokens: request.max_tokens ?? undefined, focus: focusOf(request) }
  const made = await summarizeFaceRequest({ ...call, request: asked }, signal)
  return { ...messageOf(faceAnswer(made, call)), cache: made.cache }
}

/** What the caller wants kept: Anthropic's two ways to say so, a compact edit and the compaction call. */
function focusOf({ context_management: management, compaction }: MessagesRequest): string | undefined {
  const edits = (management?.edits ?? []).filter(({ type }) => type.startsWith('compact_'))
  const words = [...edits.map(({ instructions }) => instructions), compaction?.instructions]
  const said = words.filter((text) => typeof text === 'string' && text.trim() !== '')
  return said.length === 0 ? undefined : said.join('\n')
}
