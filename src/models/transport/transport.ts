import type { Dispatcher } from 'undici'
import { Pool, ResponseExceededMaxSizeError } from './connection-pool.ts'
import { ProviderResponse, ResponseHeaders } from './provider-response.ts'

/** What a transport knows about one provider. Times in ms, sizes in bytes. */
export interface TransportOptions {
  /** Only its origin counts: one transport serves every path of it. */
  readonly baseUrl: string
  readonly maxConcurrency: number
  readonly connectMs: number
}

export interface PostInit {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /** Bytes of the response's body; beyond them it is broken off (docs/spec/hostile.md §2). */
  readonly wireBytes: number
  readonly signal: AbortSignal
}

/** One provider's connections. */
export interface Transport {
  /** POSTs and resolves at the response's headers. Rejects with the signal's reason, or with what undici says of the connection. */
  post(url: string, init: PostInit): Promise<ProviderResponse>
  /** Waits for running exchanges, then closes every connection. */
  close(): Promise<void>
}

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
  })
  // Taking an address apart is a hundredth of a short request, and a provider has one.
  let last = { url: '', path: '' }
  return {
    post(url, init) {
      if (url !== last.url) last = { url, path: pathBelow(origin, url) }
      return postThrough(pool, { ...init, path: last.path })
    },
    close: () => pool.close(),
  }
}

/** Not by comparing texts: an operator may write a host in capitals, or the port that goes without saying. */
function pathBelow(origin: string, url: string): string {
  const { origin: to, pathname, search } = new URL(url)
  if (to !== origin) throw new TypeError('Cannot post outside the origin of the transport')
  return `${pathname}${search}`
}

export interface PostThroughInit extends Omit<PostInit, 'headers'> {
  readonly path: string
  /** By name, or as names and values in turn. */
  readonly headers: PostInit['headers'] | string[]
}

/** The same as `post`, over connections that somebody else owns. */
export function postThrough(dispatcher: Dispatcher, init: PostThroughInit): Promise<ProviderResponse> {
  const { path, headers, body, signal } = init
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    dispatcher.dispatch({ method: 'POST', path, headers, body }, new Exchange(init, resolve, reject))
  })
}

/** One request on its way: undici's handler and the abort listener in one object, so that nothing is left behind. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal
  readonly #resolve: (response: ProviderResponse) => void
  readonly #reject: (reason: unknown) => void
  #bytesLeft: number
  #controller: Dispatcher.DispatchController | undefined
  #response: ProviderResponse | undefined

  constructor(
    { signal, wireBytes }: Pick<PostInit, 'signal' | 'wireBytes'>,
    resolve: (response: ProviderResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#signal = signal
    this.#bytesLeft = wireBytes
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
    const connection = {
      abandon: () => controller.abort(new Error('The rest of the response is not wanted')),
      pause: () => controller.pause(),
      resume: () => controller.resume(),
    }
    this.#response = new ProviderResponse(status, statusText ?? '', new ResponseHeaders(headers), connection)
    this.#resolve(this.#response)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytesLeft -= chunk.length
    if (this.#bytesLeft < 0) controller.abort(new ResponseExceededMaxSizeError())
    else this.#response?.push(chunk)
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
