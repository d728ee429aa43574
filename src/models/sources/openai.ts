import { APIError, type OpenAI } from 'openai'
import type { Clock } from '../clock.ts'
import { classify, type Failure } from '../failures/classify.ts'
import { readFailureBody } from '../failures/failure-body.ts'
import { type Completion, type CompletionRequest, type KeyedModel, ModelError } from '../model.ts'
import { outputCap } from '../output-cap.ts'
import { promptBody } from '../transport/prompt-body.ts'
import type { ProviderResponse } from '../transport/provider-response.ts'
import { childTraceparent } from '../transport/traceparent.ts'
import { connectionFailure, type Transport } from '../transport/transport.ts'
import { type ChatAnswer, ChatReader } from './openai/chat-answer.ts'
import { type Price, settleAnswer } from './openai/chat-settle.ts'
import { type Dialect, firstDialect, nextDialect, type TokenParameter } from './openai/dialect.ts'
import { eventStream } from './openai/event-stream.ts'
import { type ChatBody, type ProviderClient, providerClient } from './openai/provider-client.ts'

export interface OpenaiModelOptions {
  /** "alpha/small". */
  readonly id: string
  /** The name on the wire: "small". */
  readonly name: string
  readonly baseUrl: string
  readonly transport: Transport
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly contextWindow: number
  readonly maxOutputTokens?: number | undefined
  readonly price?: Price | undefined
  readonly reasoningEffort?: string | undefined
  readonly tokenParameter?: TokenParameter | undefined
  readonly clock: Clock
}

/** Each of the three words of a dialect can be refused once. */
const MAX_DIALECTS = 4

/**
 * A model behind an OpenAI-compatible chat endpoint. Answers are streamed where the provider can: the first token is
 * seen, a stalled answer is noticed, and no proxy in between runs into its idle time.
 */
export function openaiModel(options: OpenaiModelOptions): KeyedModel {
  const { id, contextWindow, maxOutputTokens } = options
  const facts = { id, contextWindow, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) }
  const clients = new Map<string | undefined, ProviderClient>()
  let dialect = firstDialect(options.baseUrl, options.tokenParameter)

  function clientOf(key: string | undefined): ProviderClient {
    let client = clients.get(key)
    if (client === undefined) {
      const { baseUrl, transport, headers = {} } = options
      client = providerClient({ baseUrl, transport, headers, apiKey: key })
      clients.set(key, client)
    }
    return client
  }

  async function completeWith(
    key: string | undefined,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<Completion> {
    const client = clientOf(key)
    const before = dialect
    for (let round = 1; ; round += 1) {
      const used = dialect
      try {
        return await ask(client, used, request, signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof ModelError) throw error
        const failure = failureOf(error)
        const verdict = classify(failure, options.clock.now())
        const refused = verdict.outcome === 'bad_request' && round < MAX_DIALECTS
        const next = refused ? nextDialect(used, readFailureBody(failure.body).text) : null
        if (next === null) {
          // What did not help is not remembered, or one odd refusal would spoil every later request.
          if (verdict.outcome === 'bad_request' && round > 1) dialect = before
          throw modelError(id, verdict.outcome, failure, verdict.retryAfterMs)
        }
        dialect = next
      }
    }
  }

  async function ask(client: ProviderClient, used: Dialect, request: CompletionRequest, signal: AbortSignal) {
    const body = wireBody(options, used, outputCap(facts, request), request)
    // Without a stream there is no first token to wait for: the sign of life stops that clock (timeout.ts).
    if (!used.stream) request.listener?.delta?.('')
    const response = await client.postChat(body, childTraceparent(request.traceparent), signal)
    const answer = await readAnswer(id, response, request.listener?.delta)
    return settleAnswer(answer, request, { model: id, price: options.price, nowMs: options.clock.now() })
  }

  return { ...facts, completeWith }
}

/** Never a temperature, tools, empty objects or cache marks (models.md §1; bug-log B190, B201). */
function wireBody(options: OpenaiModelOptions, dialect: Dialect, cap: number, request: CompletionRequest) {
  const head = {
    model: options.name,
    [dialect.cap]: cap,
    ...(options.reasoningEffort === undefined
      ? {}
      : { reasoning_effort: options.reasoningEffort as OpenAI.ReasoningEffort }),
    ...(dialect.stream ? { stream: true } : {}),
    ...(dialect.stream && dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
  }
  const { system } = request
  return promptBody(request, (prompt): ChatBody => {
    const user = { role: 'user', content: prompt } as const
    return { ...head, messages: system === '' ? [user] : [{ role: 'system', content: system }, user] }
  })
}

/** Reads a stream or, where the provider ignored `stream`, one JSON completion. */
async function readAnswer(
  model: string,
  response: ProviderResponse,
  onText?: (text: string) => void,
): Promise<ChatAnswer> {
  const reader = new ChatReader(onText)
  const bad = () => new ModelError(model, 'bad_response', { status: response.status })
  if (!response.headers.get('content-type')?.includes('event-stream')) {
    const value = parseJson(await response.text())
    if (typeof value !== 'object' || value === null) throw bad()
    reader.take(value)
    return reader.answer()
  }
  let done = false
  await response.read(
    eventStream((event, data) => {
      done = data === '[DONE]'
      if (done) return true
      const value = parseJson(data)
      if (value === undefined) throw bad()
      reader.take(/error|exception/i.test(event) ? { error: { type: event, value } } : value)
      return false
    }),
  )
  // The body ended in good order but the answer did not: somebody in between cut it.
  if (!done && !reader.ended) throw new ModelError(model, 'network', { status: response.status })
  return reader.answer()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the SDK or the connection threw, as classify.ts reads it. */
function failureOf(error: unknown): Failure {
  if (error instanceof APIError && error.status !== undefined) {
    const body: unknown = error.error
    const blank = body === undefined || body === null || (typeof body === 'string' && body.trim() === '')
    return { status: error.status, headers: error.headers, body: blank ? undefined : body }
  }
  return connectionFailure(error)
}

/** No cause for an answer of the provider: its words may hold the prompt or a key, and causes end in logs. */
function modelError(
  model: string,
  outcome: ModelError['outcome'],
  failure: Failure,
  retryAfterMs?: number,
): ModelError {
  return new ModelError(model, outcome, {
    ...(failure.status === undefined ? { cause: failure.code ?? failure.message } : { status: failure.status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}
