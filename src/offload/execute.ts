import { RecapdError } from '../domain/errors.ts'
import { chatCompletions } from '../pipelines/chat-completions.ts'
import { chatCompletionRequest } from '../pipelines/chat-completions-schema.ts'
import { parseRequest } from '../pipelines/parse-request.ts'
import type { CallContext, Emit, PipelineDeps } from '../pipelines/pipeline-context.ts'
import { summarize } from '../pipelines/summarize.ts'
import { summarizeRequest } from '../pipelines/summarize-schema.ts'
import type { Answer, Call, EndpointName } from './call.ts'

type Run = (
  body: unknown,
  context: CallContext,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
) => Promise<Answer>

/** Which pipeline answers which endpoint. The same table serves the event loop and the workers. */
const RUNS: Readonly<Record<EndpointName, Run>> = {
  async summarize(body, context, deps, signal, emit) {
    const { cache, ...result } = await summarize(parseRequest(summarizeRequest, body), context, deps, signal, emit)
    return { json: JSON.stringify(result), model: result.model, ...(cache === undefined ? {} : { cache }) }
  },
  async 'chat-completions'(body, context, deps, signal, emit) {
    const request = parseRequest(chatCompletionRequest, body)
    if (request.stream === true) emit?.('stream', {})
    const { cache, ...result } = await chatCompletions(request, context, deps, signal)
    return { json: JSON.stringify(result), model: result.model, ...(cache === undefined ? {} : { cache }) }
  },
}

/** Bytes → JSON → schema → pipeline → JSON, in whichever thread it is called: a request is parsed once and serialised once. */
export async function execute(call: Call, deps: PipelineDeps, signal: AbortSignal, emit?: Emit): Promise<Answer> {
  return RUNS[call.endpoint](parseBody(call), call.context, deps, signal, emit)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: false })

function parseBody(call: Call): unknown {
  const text = decoder.decode(call.bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new RecapdError('invalid-json', 'The body is not valid JSON; send one JSON object.')
  }
}
