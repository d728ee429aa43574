import OpenAI, { APIError } from 'openai'
import type { ProviderResponse } from './provider-response.ts'
import type { Transport } from './transport.ts'

export interface ProviderClientOptions {
  readonly baseUrl: string
  readonly transport: Transport
  /** Absent for a provider without keys: no authorization header is sent. */
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

type RequestOptions = Parameters<OpenAI['buildRequest']>[0]

const SILENT = { error() {}, warn() {}, info() {}, debug() {} }
const NO_HEADERS = new Headers()

/**
 * The openai SDK with its two public hooks for building and sending a request replaced. The SDK's own header building and
 * fetch take several times the CPU of the request, add a dozen headers local servers stumble over, and read OPENAI_*
 * variables that are meant for one provider only.
 */
export class ProviderClient extends OpenAI {
  readonly #transport: Transport
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(options: ProviderClientOptions) {
    super({
      baseURL: options.baseUrl,
      apiKey: options.apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      logLevel: 'off',
      logger: SILENT,
    })
    this.#transport = options.transport
    this.#url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': 'recapd',
      ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      ...options.headers,
    }
  }

  /** POSTs one chat completion, already serialised. Rejects with the SDK's errors; the body of a 200 is the caller's to read. */
  async postChat(body: string, traceparent: string | undefined, signal: AbortSignal): Promise<ProviderResponse> {
    const headers = traceparent === undefined ? undefined : { traceparent }
    const response: unknown = await this.post('/chat/completions', { body, headers, signal }).asResponse()
    return response as ProviderResponse // what fetchWithTimeout below gave the SDK
  }

  override async buildRequest(options: RequestOptions) {
    const headers = options.headers === undefined ? NO_HEADERS : new Headers(options.headers as Record<string, string>)
    const req = { method: 'post' as const, headers, body: options.body as string, signal: options.signal ?? null }
    return { req, url: this.#url, timeout: 0 }
  }

  override async fetchWithTimeout(_url: unknown, init: RequestInit | undefined): Promise<Response> {
    if (!(init?.headers instanceof Headers) || !init.signal)
      throw new TypeError('The request was not built by buildRequest')
    const traceparent = init.headers.get('traceparent')
    const response: unknown = await this.#transport.post(this.#url, {
      headers: traceparent === null ? this.#headers : { ...this.#headers, traceparent },
      body: init.body as string,
      signal: init.signal,
    })
    return response as Response // the SDK reads status, ok, url, headers.get, headers.entries and text() of it, no more
  }

  /** Keeps the whole body: the SDK keeps its `error` field only, and loses the words of Mistral, FastAPI and others. */
  protected override makeStatusError(status: number, body: object, text: string | undefined, headers: Headers) {
    return new APIError(status, body ?? text, undefined, headers)
  }
}
