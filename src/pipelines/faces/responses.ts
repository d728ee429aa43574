import { viewRequest } from '../../domain/agents/request-view.ts'
import { RecapdError } from '../../domain/errors.ts'
import { isRecord } from '../../domain/is-record.ts'
import { isSealedItem } from '../items/open-items.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import { compactItems } from './compact-items.ts'
import { compactionOf, faceAnswer, messageItemOf, responseOf } from './face-answer.ts'
import type { ResponsesCompactRequest, ResponsesRequest } from './responses-schema.ts'
import { knownModel, summarizeFaceRequest } from './summarize-request.ts'

/** `POST /v1/responses/compact`: OpenAI's compaction call (docs/spec/faces.md §1). */
export async function responsesCompact(call: PipelineCall<ResponsesCompactRequest>, signal: AbortSignal) {
  const { request, context, deps } = call
  const made = await compactItems(
    {
      ...call,
      request: {
        rows: rowsOf(request),
        instructions: request.instructions,
        model: knownModel(request.model, deps),
      },
    },
    signal,
  )
  const answer = { requestId: context.requestId, createdAt: deps.now(), model: made.model, usage: made.usage }
  return { ...compactionOf(answer, [...made.kept, made.item]), model: made.model, cache: made.cache }
}

/** `POST /v1/responses`: one compaction item where the trigger stands last, else a summary of the input. */
export async function responses(call: PipelineCall<ResponsesRequest>, signal: AbortSignal) {
  const { request, emit } = call
  const rows = rowsOf(request)
  if (request.stream === true) emit?.({ name: 'stream', data: {} })
  const last = rows.at(-1)
  if (isRecord(last) && last['type'] === 'compaction_trigger') return triggered(call, rows.slice(0, -1), signal)
  const view = viewRequest('responses', { ...request, input: rows })
  if (view === null) throw noInput()
  const maxTokens = request.max_output_tokens ?? undefined
  const made = await summarizeFaceRequest({ ...call, request: { view, model: request.model, maxTokens } }, signal)
  const answer = faceAnswer(made, call)
  return { ...responseOf(answer, [messageItemOf(answer)]), cache: made.cache }
}

async function triggered(call: PipelineCall<ResponsesRequest>, rows: readonly unknown[], signal: AbortSignal) {
  const { request, context, deps } = call
  // The agent replaces everything with the one item: what only somebody else can read would be lost.
  if (rows.some((row) => isSealedItem(row) && deps.items.open(row.encrypted_content) === null)) throw sealedHistory()
  const made = await compactItems({ ...call, request: { rows, model: knownModel(request.model, deps) } }, signal)
  const answer = { requestId: context.requestId, createdAt: deps.now(), model: made.model, usage: made.usage }
  return { ...responseOf(answer, [made.item]), cache: made.cache }
}

function rowsOf({ input, previous_response_id: previous }: ResponsesCompactRequest): readonly unknown[] {
  if (typeof previous === 'string' && previous !== '') throw nothingStored()
  if (Array.isArray(input) && input.length > 0) return input
  if (typeof input !== 'string' || input.trim() === '') throw noInput()
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
}

const noInput = (): RecapdError =>
  new RecapdError('invalid-request', 'input: there is nothing to summarize; send the items of the conversation.', {
    errors: [{ path: '/input', message: 'expected a text or a list of items' }],
  })

const nothingStored = (): RecapdError =>
  new RecapdError(
    'stored-elsewhere',
    'No response is stored here, so previous_response_id leads nowhere; send the whole conversation as input.',
    { errors: [{ path: '/previous_response_id', message: 'expected the conversation in input' }] },
  )

const sealedHistory = (): RecapdError =>
  new RecapdError(
    'stored-elsewhere',
    'The input holds a compaction item that only its maker can open, and one item of ours would replace it; compact where it was made.',
    { errors: [{ path: '/input', message: 'expected no compaction item of somebody else' }] },
  )
