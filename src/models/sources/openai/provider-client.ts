import { APIError, type OpenAI } from 'openai'
import type { ProviderResponse } from '../../transport/provider-response.ts'
import type { Transport } from '../../transport/transport.ts'

export interface ProviderClientOptions {
  readonly baseUrl: string
  readonly transport: Transport
  /** Absent for a provider without keys: no authorization header is sent. */
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** The SDK's words for a chat request. `max_tokens` is deprecated there, and the only one that most providers know. */
export type ChatBody = OpenAI.ChatCompletionCreateParams

/** One provider under one key, with the openai SDK's types and errors; how a request travels is ours (ADR 0015). */
export interface ProviderClient {
  /** POSTs one chat completion, already serialised. Rejects with an APIError; the body of a 200 is the caller's to read. */
  postChat(body: string | Buffer, traceparent: string | undefined, signal: AbortSignal): Promise<ProviderResponse>
}

export function providerClient({
  baseUrl,
  transport,
  apiKey,
  headers: configured,
}: ProviderClientOptions): ProviderClient {
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'recapd',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...configured,
  }
  return {
    async postChat(body, traceparent, signal) {
      const response = await transport.post(url, {
        headers: traceparent === undefined ? headers : { ...headers, traceparent },
        body,
        signal,
      })
      if (response.ok) return response
      throw await statusError(response)
    },
  }
}

/** Keeps the whole body: the SDK keeps its `error` field only, and loses the words of Mistral, FastAPI and others. */
async function statusError(response: ProviderResponse): Promise<APIError> {
  // A body that breaks off still has a status in front of it, which says more than the break.
  const text = await response.text().catch((error: unknown) => (error instanceof Error ? error.message : ''))
  const headers: unknown = response.headers
  return new APIError(response.status, parsed(text) ?? text, undefined, headers as Headers) // it calls `get` alone
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
