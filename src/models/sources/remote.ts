import { defined } from '../../domain/defined.ts'
import { isRecord } from '../../domain/is-record.ts'
import { parseJson } from '../../domain/parse-json.ts'
import { cleanCharacters } from '../../domain/text/clean.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import type { Clock } from '../clock.ts'
import type { Completion, CompletionRequest, KeyedModel, Usage } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { answerBounds, outputCap } from '../output-cap.ts'
import { promptTokens } from '../prompt.ts'
import { promptBody } from '../transport/prompt-body.ts'
import { failedAttempt, failureOf, responseError } from '../transport/response-error.ts'
import type { Transport } from '../transport/transport.ts'
import { sourceAnswer } from './source-answer.ts'

export interface RemoteModelOptions {
  readonly id: string
  readonly url: string
  readonly transport: Transport
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly contextWindow: number
  readonly maxOutputTokens?: number | undefined
  readonly clock: Clock
}

type Facts = Pick<KeyedModel, 'id' | 'contextWindow' | 'maxOutputTokens'>

const MOST_WARNINGS = 20
const MOST_WARNING_CHARACTERS = 500

/** Another recapd, or any endpoint of omp's contract: POST {systemPrompt, prompt, maxTokens} → {summary} (docs/spec/sessions.md §11). */
export function remoteModel(options: RemoteModelOptions): KeyedModel {
  const { id, url, transport, clock, contextWindow, maxOutputTokens } = options
  const facts: Facts = { id, contextWindow, maxOutputTokens }

  async function post(key: string | undefined, request: CompletionRequest, signal: AbortSignal): Promise<string> {
    const { system: systemPrompt, traceparent } = request
    const maxTokens = outputCap(facts, request)
    const response = await transport.post(url, {
      headers: defined({
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'recapd',
        'x-request-timeout-ms': String(Math.max(1, Math.floor(request.deadlineAt - clock.now()))),
        authorization: key === undefined ? undefined : `Bearer ${key}`,
        traceparent,
        ...options.headers,
      }),
      body: promptBody(request, (prompt) => ({ systemPrompt, maxTokens, prompt })),
      wireBytes: answerBounds(maxTokens).wireBytes,
      signal,
    })
    if (!response.ok) throw await responseError(response)
    return response.text()
  }

  return {
    ...facts,
    async completeWith(key, request, signal) {
      // Its answer comes in one piece, so there is no first token to wait for (timeout.ts).
      request.listener?.delta?.('')
      let text: string
      try {
        text = await post(key, request, signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw failedAttempt({ model: id, failure: failureOf(error), nowMs: clock.now() }, { keys: [key], request })
      }
      const completion = readCompletion(text, request, facts)
      request.listener?.delta?.(completion.text)
      return completion
    },
  }
}

function readCompletion(text: string, request: CompletionRequest, facts: Facts): Completion {
  const { id: model } = facts
  const parsed = parseJson(text)
  const value = isRecord(parsed) ? parsed : {}
  const summary = value['summary']
  const { textBytes } = answerBounds(outputCap(facts, request))
  const isTooLong = typeof summary === 'string' && Buffer.byteLength(summary) > textBytes
  if (typeof summary !== 'string' || isTooLong) throw new ModelError(model, 'bad_response', { status: 200 })
  if (summary.trim() === '') throw new ModelError(model, 'empty', { status: 200 })
  return sourceAnswer({
    text: summary,
    model,
    usage: readUsage(value['usage'], summary, request),
    degraded: value['degraded'] === true,
    warnings: readWarnings(value['warnings']),
    method: 'remote',
  })
}

/** The other side's warnings are about this summary, so they are passed on; those without a bound are not (docs/spec/hostile.md §2). */
function readWarnings(warnings: unknown): string[] {
  if (!Array.isArray(warnings)) return []
  const texts = warnings.slice(0, MOST_WARNINGS).filter((warning) => typeof warning === 'string')
  return texts.map((text) => cleanCharacters(text.slice(0, MOST_WARNING_CHARACTERS)))
}

/** Its own figures where it gives them; an omp-style endpoint gives none. */
function readUsage(usage: unknown, summary: string, request: CompletionRequest): Usage {
  const given = isRecord(usage) ? usage : {}
  const count = (name: string) => {
    const value = given[name]
    return typeof value === 'number' && value >= 0 ? value : undefined
  }
  return {
    inputTokens: count('inputTokens') ?? textTokens(request.system) + promptTokens(request.prompt),
    outputTokens: count('outputTokens') ?? textTokens(summary),
    costUsd: count('costUsd') ?? 0,
  }
}
