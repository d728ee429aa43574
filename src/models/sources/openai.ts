import type { OpenAI } from 'openai'
import { defined } from '../../domain/defined.ts'
import type { Clock } from '../clock.ts'
import { classify } from '../failures/classify.ts'
import { readFailureBody } from '../failures/failure-body.ts'
import type { Completion, CompletionRequest, KeyedModel } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { answerBounds, outputCap } from '../output-cap.ts'
import { promptBody } from '../transport/prompt-body.ts'
import { failedAttempt, failureOf, responseError } from '../transport/response-error.ts'
import type { Transport } from '../transport/transport.ts'
import { type Price, settleAnswer } from './openai/chat-settle.ts'
import { firstDialect, nextDialect, type TokenParameter, type WireDialect } from './openai/dialect.ts'
import { readAnswer } from './openai/read-answer.ts'

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

/** A request in the protocol's words, as openai publishes them; the effort is whatever the operator wrote. */
type ChatBody = Pick<OpenAI.ChatCompletionCreateParams, 'model' | 'messages'> & {
  readonly reasoning_effort?: string | undefined
  readonly stream?: true | undefined
  readonly stream_options?: OpenAI.ChatCompletionStreamOptions | undefined
}

/** Each of the three words of a dialect may be refused once. */
const MAX_DIALECTS = 4

/**
 * A model behind an OpenAI-compatible chat endpoint. Answers are streamed where the provider can: the first token is
 * seen, a stalled answer is noticed, and no proxy in between runs into its idle time.
 */
export function openaiModel(options: OpenaiModelOptions): KeyedModel {
  const { id, contextWindow, maxOutputTokens, transport, clock } = options
  const facts = { id, contextWindow, maxOutputTokens }
  const url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headersOf = headersByKey(options.headers)
  let dialect = firstDialect(options.baseUrl, options.tokenParameter)

  async function completeWith(
    key: string | undefined,
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<Completion> {
    const before = dialect
    for (let round = 1; ; round += 1) {
      const used = dialect
      try {
        return await ask(key, used, request, signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof ModelError) throw error
        const failure = failureOf(error)
        const nowMs = clock.now()
        const verdict = classify(failure, nowMs)
        const refused = verdict.outcome === 'bad_request' && round < MAX_DIALECTS
        const next = refused ? nextDialect(used, readFailureBody(failure.body).text) : null
        if (next === null) {
          // A change that did not help is not remembered, or one odd refusal would spoil every later request.
          if (verdict.outcome === 'bad_request' && round > 1) dialect = before
          throw failedAttempt({ model: id, failure, nowMs, verdict }, { keys: [key], request })
        }
        dialect = next
      }
    }
  }

  async function ask(key: string | undefined, used: WireDialect, request: CompletionRequest, signal: AbortSignal) {
    const cap = outputCap(facts, request)
    const { textBytes, wireBytes } = answerBounds(cap)
    const body = wireBody(options, { dialect: used, cap }, request)
    // Without a stream there is no first token to wait for: the sign of life stops that clock (timeout.ts).
    if (!used.stream) request.listener?.delta?.('')
    const { traceparent } = request
    const own = headersOf(key)
    const headers = traceparent === undefined ? own : { ...own, traceparent }
    const response = await transport.post(url, { headers, body, wireBytes, signal })
    if (!response.ok) throw await responseError(response)
    const { delta: onText, room } = request.listener ?? {}
    const answer = await readAnswer(response, { model: id, textBytes, onText, room })
    const { price } = options
    return settleAnswer(
      answer,
      { request, keys: [key] },
      { model: id, price, nowMs: clock.now(), headers: response.headers },
    )
  }

  return { ...facts, completeWith }
}

/** Made once a key: a request's headers are the same every time. */
function headersByKey(configured: Readonly<Record<string, string>> = {}) {
  const made = new Map<string | undefined, Readonly<Record<string, string>>>()
  return (key: string | undefined): Readonly<Record<string, string>> => {
    const headers =
      made.get(key) ??
      defined({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': 'recapd',
        authorization: key === undefined ? undefined : `Bearer ${key}`,
        ...configured,
      })
    made.set(key, headers)
    return headers
  }
}

/** Never a temperature, tools, empty objects or cache marks (docs/spec/models.md §1; docs/bug-log.md B190, B201). */
function wireBody(
  options: OpenaiModelOptions,
  { dialect, cap }: { readonly dialect: WireDialect; readonly cap: number },
  request: CompletionRequest,
) {
  const head = {
    model: options.name,
    [dialect.cap]: cap,
    reasoning_effort: options.reasoningEffort,
    stream: dialect.stream || undefined,
    stream_options: dialect.stream && dialect.streamOptions ? { include_usage: true } : undefined,
  }
  const { system } = request
  return promptBody(request, (prompt): ChatBody => {
    const user = { role: 'user', content: prompt } as const
    return { ...head, messages: system === '' ? [user] : [{ role: 'system', content: system }, user] }
  })
}
