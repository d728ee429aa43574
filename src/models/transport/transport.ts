import { type Dispatcher, Pool } from 'undici'
import type { Failure } from '../failures/classify.ts'
import { ProviderResponse, ResponseHeaders } from './provider-response.ts'

/** What a transport is told about one provider. Times in ms, sizes in bytes. */
export interface TransportOptions {
  /** Only its origin counts: one transport serves every path of it. */
  readonly baseUrl: string
  readonly maxConcurrency: number
  readonly connectMs: number
  readonly maxResponseBytes?: number
}

export interface PostInit {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly signal: AbortSignal
}

/** One provider's connections. */
export interface Transport {
  /** POSTs and resolves at the response's headers. Rejects with the signal's reason, or with what undici says of the connection. */
  post(url: string, init: PostInit): Promise<ProviderResponse>
  /** Waits for running exchanges, then closes every connection. */
  close(): Promise<void>
}

const DEFAULT_MAX_RESPONSE_BYTES = 32 * 1024 * 1024
/** Under the idle time of the usual load balancers; the server's own keep-alive hint wins in undici. */
const KEEP_ALIVE_MS = 30_000

/**
 * One undici Pool per provider origin. Exchanges are dispatched directly: fetch, web streams and Node streams cost three
 * to five times the request itself. undici's own clocks are off, since attemptMs and the deadline rule (timeout.ts), and
 * redirects are not followed, since a key must not travel to a host nobody configured.
 */
export function createTransport(options: TransportOptions): Transport {
  const { origin } = new URL(options.baseUrl)
  const pool = new Pool(origin, {
    connections: options.maxConcurrency,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: options.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
  })
  return {
    post(url, init) {
      if (!url.startsWith(origin)) throw new TypeError('Cannot post outside the origin of the transport')
      return new Promise((resolve, reject) => {
        if (init.signal.aborted) return reject(init.signal.reason)
        const exchange = new Exchange(init.signal, resolve, reject)
        const path = url.slice(origin.length) || '/'
        pool.dispatch({ method: 'POST', path, headers: init.headers, body: init.body }, exchange)
      })
    },
    close: () => pool.close(),
  }
}

/** One request on its way: undici's handler and the abort listener in one object, so that nothing is left behind. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal
  readonly #resolve: (response: ProviderResponse) => void
  readonly #reject: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #response: ProviderResponse | undefined

  constructor(signal: AbortSignal, resolve: (response: ProviderResponse) => void, reject: (reason: unknown) => void) {
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    signal.addEventListener('abort', this)
  }

  /** The caller gave up: destroys the socket, or, while still waiting for one, makes sure that none is used. */
  handleEvent(): void {
    this.#fail(this.#signal.reason)
    this.#controller?.abort(this.#signal.reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#signal.aborted) controller.abort(this.#signal.reason)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    if (status < 200) return
    const abandon = () => controller.abort(new Error('The rest of the response is not wanted'))
    this.#response = new ProviderResponse(status, statusText ?? '', new ResponseHeaders(headers), abandon)
    this.#resolve(this.#response)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#response?.push(chunk)
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this)
    this.#response?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(reason: unknown): void {
    this.#signal.removeEventListener('abort', this)
    if (this.#response === undefined) this.#reject(reason)
    else this.#response.fail(reason)
  }
}

/** An exception of the connection, as classify.ts reads it; the SDK wraps the one that counts as its cause. */
export function connectionFailure(error: unknown): Failure {
  const inner: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (!(inner instanceof Error)) return { message: String(inner) }
  const code: unknown = Reflect.get(inner, 'code')
  return { code: typeof code === 'string' ? code : undefined, message: inner.message }
}
