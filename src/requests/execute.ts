import type { z } from 'zod'
import { RecapdError } from '../domain/errors.ts'
import { branchSummary } from '../pipelines/branch/branch-summary.ts'
import { branchSummaryRequest } from '../pipelines/branch/schema.ts'
import { check } from '../pipelines/check.ts'
import { checkRequest, contextRequest, pruneRequest } from '../pipelines/check-schema.ts'
import { compact } from '../pipelines/compact.ts'
import { compactRequest } from '../pipelines/compact-schema.ts'
import { context } from '../pipelines/context.ts'
import type { CallContext, Emit, PipelineDeps } from '../pipelines/pipeline-context.ts'
import { chatCompletions } from '../pipelines/prompt/chat-completions.ts'
import { chatCompletionRequest } from '../pipelines/prompt/chat-completions-schema.ts'
import { summarize } from '../pipelines/prompt/summarize.ts'
import { summarizeRequest } from '../pipelines/prompt/summarize-schema.ts'
import { prune } from '../pipelines/prune.ts'
import type { Answer, Call, EndpointName } from './call.ts'
import { nestsDeeply } from './nesting.ts'
import { parseRequest } from './parse-request.ts'
import { queryParameters } from './query-parameters.ts'
import { readNdjson } from './read-ndjson.ts'
import { stringMember } from './string-member.ts'

interface Parts {
  readonly call: Call
  readonly context: CallContext
  readonly deps: PipelineDeps
  readonly signal: AbortSignal
  readonly emit: Emit | undefined
}

interface Endpoint {
  readonly schema: z.ZodType
  run(body: unknown, parts: Parts): Promise<Answer> | Answer
}

/** Ties a schema to the pipeline that takes what it gives. */
function endpoint<Request>(
  schema: z.ZodType<Request>,
  run: (request: Request, parts: Parts) => Promise<Answer> | Answer,
): Endpoint {
  return { schema, run: (body, parts) => run(parseRequest(schema, body), parts) }
}

const answer = (result: object): Answer => ({ json: JSON.stringify(result) })

/** Which pipeline answers which endpoint. The same table serves the event loop and the workers. */
const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  summarize: endpoint(summarizeRequest, async (request, { call, context, deps, signal, emit }) => {
    const { cache, ...result } = await summarize(request, withPromptJson(context, call), deps, signal, emit)
    return { ...answer(result), model: result.model, ...(cache === undefined ? {} : { cache }) }
  }),
  'chat-completions': endpoint(chatCompletionRequest, async (request, { context, deps, signal, emit }) => {
    if (request.stream === true) emit?.('stream', {})
    const { cache, ...result } = await chatCompletions(request, context, deps, signal)
    return { ...answer(result), model: result.model, ...(cache === undefined ? {} : { cache }) }
  }),
  compact: endpoint(compactRequest, async (request, { context, deps, signal, emit }) => {
    const result = await compact(request, context, deps, signal, emit)
    const model = result.calls[0]?.model
    return { ...answer(result), ...(model === undefined ? {} : { model }) }
  }),
  'branch-summary': endpoint(branchSummaryRequest, async (request, { context, deps, signal, emit }) => {
    const result = await branchSummary(request, context, deps, signal, emit)
    const model = result.calls[0]?.model
    return { ...answer(result), ...(model === undefined ? {} : { model }) }
  }),
  check: endpoint(checkRequest, (request, { context, deps }) => answer(check(request, context, deps))),
  prune: endpoint(pruneRequest, (request, { context: call }) => answer(prune(request, call))),
  context: endpoint(contextRequest, (request, { context: call, deps }) => answer(context(request, call, deps))),
}

/** Bytes → JSON → schema → pipeline → JSON, in whichever thread it is called: a request is parsed once and serialised once. */
export async function execute(call: Call, deps: PipelineDeps, signal: AbortSignal, emit?: Emit): Promise<Answer> {
  const { schema, run } = ENDPOINTS[call.endpoint]
  const { body, warnings } = readBody(call, schema)
  const context = warnings.length === 0 ? call.context : { ...call.context, readWarnings: warnings }
  try {
    return await run(body, { call, context, deps, signal, emit })
  } catch (error) {
    // The engine gave up in the middle of it: looked for only then, since no real body is like that.
    if (error instanceof RangeError && nestsDeeply(body)) throw tooDeep()
    throw error
  }
}

const tooDeep = (): RecapdError =>
  new RecapdError('invalid-request', 'The body nests values more than 500 levels deep; send flatter arguments.', {
    errors: [{ path: '', message: 'expected at most 500 levels' }],
  })

/** A prompt that goes out as it came need not be encoded again: of a long one's cost that is a third. */
function withPromptJson(context: CallContext, { bytes }: Call): CallContext {
  if (bytes.byteLength < LONG_BODY_BYTES) return context
  const promptJson = stringMember(asBuffer(bytes), 'prompt')
  return promptJson === undefined ? context : { ...context, promptJson }
}

/** Below this, looking for the string costs as much as it saves. */
const LONG_BODY_BYTES = 1_024

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const decoder = new TextDecoder()

function readBody(
  { bytes, mediaType, query }: Call,
  schema: z.ZodType,
): { body: unknown; warnings: readonly string[] } {
  const text = decoder.decode(bytes)
  if (mediaType === 'ndjson') {
    const { rows, warnings } = readNdjson(text)
    return { body: { ...queryParameters(query, schema), entries: rows }, warnings }
  }
  try {
    return { body: JSON.parse(text), warnings: [] }
  } catch {
    throw new RecapdError('invalid-json', 'The body is not valid JSON; send one JSON object.')
  }
}
