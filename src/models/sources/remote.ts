import { textTokens } from '../../domain/tokens/text-tokens.ts'
import type { Clock } from '../clock.ts'
import { classify, type Failure } from '../failures/classify.ts'
import { type Completion, type CompletionRequest, type KeyedModel, ModelError, type Usage } from '../model.ts'
import { outputCap } from '../output-cap.ts'
import { promptBody } from '../transport/prompt-body.ts'
import type { ProviderResponse } from '../transport/provider-response.ts'
import { childTraceparent } from '../transport/traceparent.ts'
import { connectionFailure, type Transport } from '../transport/transport.ts'

export interface RemoteModelOptions {
  readonly id: string
  readonly url: string
  readonly transport: Transport
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly contextWindow: number
  readonly maxOutputTokens?: number | undefined
  readonly clock: Clock
}

const MOST_WARNINGS = 20

/** Another recapd, or any endpoint of omp's contract: POST {systemPrompt, prompt, maxTokens} → {summary} (omp-spec §11). */
export function remoteModel(options: RemoteModelOptions): KeyedModel {
  const { id, url, transport, clock, contextWindow, maxOutputTokens } = options
  const facts = { id, contextWindow, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) }

  async function post(key: string | undefined, request: CompletionRequest, signal: AbortSignal) {
    const traceparent = childTraceparent(request.traceparent)
    const { system: systemPrompt } = request
    return transport.post(url, {
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'recapd',
        'x-request-timeout-ms': String(Math.max(1, Math.floor(request.deadlineAt - clock.now()))),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(traceparent === undefined ? {} : { traceparent }),
        ...options.headers,
      },
      body: promptBody(request, (prompt) => ({ systemPrompt, maxTokens: outputCap(facts, request), prompt })),
      signal,
    })
  }

  function fail(failure: Failure): ModelError {
    const { outcome, ...hint } = classify(failure, clock.now())
    // The other side's attempts and words stay with it: they name models and keys nobody here knows.
    return new ModelError(id, outcome, {
      ...(failure.status === undefined ? { cause: failure.code ?? failure.message } : { status: failure.status }),
      ...hint,
    })
  }

  return {
    ...facts,
    async completeWith(key, request, signal) {
      // Its answer comes in one piece, so there is no first token to wait for (timeout.ts).
      request.listener?.delta?.('')
      let response: ProviderResponse
      let text: string
      try {
        response = await post(key, request, signal)
        text = await response.text()
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw fail(connectionFailure(error))
      }
      const { status, statusText, headers } = response
      // omp-style servers put their hint into the reason phrase, where their own client reads it (omp-spec §11).
      if (!response.ok)
        throw fail({ status, headers, body: text.trim() === '' ? undefined : text, message: statusText })
      const completion = readCompletion(id, text, request)
      request.listener?.delta?.(completion.text)
      return completion
    },
  }
}

function readCompletion(model: string, text: string, request: CompletionRequest): Completion {
  const value = parseObject(text)
  const summary = value?.['summary']
  if (typeof summary !== 'string') throw new ModelError(model, 'bad_response', { status: 200 })
  if (summary.trim() === '') throw new ModelError(model, 'empty', { status: 200 })
  return {
    text: summary,
    model,
    usage: readUsage(value?.['usage'], summary, request),
    truncated: false,
    degraded: value?.['degraded'] === true,
    attempts: [],
    calls: [],
    warnings: readWarnings(value?.['warnings']),
    method: 'remote',
  }
}

/** What the other side warns of is about this summary, so it goes along; a list of unbounded length does not. */
function readWarnings(warnings: unknown): string[] {
  if (!Array.isArray(warnings)) return []
  return warnings.filter((warning) => typeof warning === 'string').slice(0, MOST_WARNINGS)
}

/** Its own figures where it gives them; an omp-style endpoint gives none. */
function readUsage(usage: unknown, summary: string, request: CompletionRequest): Usage {
  const given = typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>) : {}
  const count = (name: string) => {
    const value = given[name]
    return typeof value === 'number' && value >= 0 ? value : undefined
  }
  return {
    inputTokens: count('inputTokens') ?? textTokens(request.system) + textTokens(request.prompt),
    outputTokens: count('outputTokens') ?? textTokens(summary),
    costUsd: count('costUsd') ?? 0,
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
