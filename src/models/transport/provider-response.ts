/** Response headers under lower-case names, with as much of the `Headers` interface as is used. */
export class ResponseHeaders {
  readonly #values: Readonly<Record<string, string | string[] | undefined>>

  constructor(values: Readonly<Record<string, string | string[] | undefined>>) {
    this.#values = values
  }

  get(name: string): string | null {
    const value = this.#values[name.toLowerCase()]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }
}

/** How long a stream may take to end after its last wanted byte before its connection is given up. */
const LINGER_MS = 1000

/** Takes one chunk; true means that it has all it needs. */
export type ChunkSink = (chunk: Buffer) => boolean

/** What lies under a response. */
export interface Connection {
  /** Closes it. */
  abandon(): void
  /** Reads no more, until `resume`. */
  pause(): void
  resume(): void
}

/** A response whose body is read once, either whole (`text`) or as it comes (`read`). */
export class ProviderResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: ResponseHeaders
  readonly #connection: Connection
  #chunks: Buffer[] = []
  #sink: ChunkSink | undefined
  #reader: PromiseWithResolvers<void> | undefined
  #end: { readonly failure?: unknown } | undefined
  #linger: NodeJS.Timeout | undefined

  constructor(status: number, statusText: string, headers: ResponseHeaders, connection: Connection) {
    this.status = status
    this.statusText = statusText
    this.headers = headers
    this.#connection = connection
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** The body, or, where it is longer, its first `mostBytes`. */
  async text(mostBytes = Number.POSITIVE_INFINITY): Promise<string> {
    const chunks: Buffer[] = []
    let bytes = 0
    await this.read((chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      return bytes >= mostBytes
    })
    const [only] = chunks
    const whole = chunks.length === 1 && only ? only : Buffer.concat(chunks)
    return whole.toString('utf8', 0, Math.min(whole.length, mostBytes))
  }

  /** Hands the chunks to the sink until it has enough or the body ends; rejects when the body is cut or the sink throws. */
  read(sink: ChunkSink): Promise<void> {
    const early = this.#chunks
    this.#chunks = []
    this.#sink = sink
    // The reader exists before the first chunk is offered: what the sink says of it comes before the end of the body.
    this.#reader = Promise.withResolvers()
    for (const chunk of early) this.#offer(chunk)
    return this.#ended()
  }

  /** The provider is made to wait until there is room for more: what it sends meanwhile stays with it. */
  async pauseUntil(room: Promise<void>): Promise<void> {
    this.#connection.pause()
    await room
    if (this.#end === undefined) this.#connection.resume()
  }

  /** For the transport: one more piece of the body. */
  push(chunk: Buffer): void {
    if (this.#sink === undefined) this.#chunks.push(chunk)
    else this.#offer(chunk)
  }

  /** For the transport: the body is complete. */
  end(): void {
    clearTimeout(this.#linger)
    this.#end ??= {}
    this.#reader?.resolve()
  }

  /** For the transport: the body will never be complete. */
  fail(failure: unknown): void {
    clearTimeout(this.#linger)
    this.#end ??= { failure }
    this.#reader?.reject(failure)
  }

  #offer(chunk: Buffer): void {
    try {
      if (this.#linger === undefined && this.#sink?.(chunk) === true) this.#enough()
    } catch (error) {
      // What the reader does not want at all is not read to its end.
      this.#reader?.reject(error)
      this.#sink = () => false
      if (this.#end === undefined) this.#connection.abandon()
    }
  }

  /** Usually the end follows at once and the connection lives on; a server that keeps the stream open loses it. */
  #enough(): void {
    this.#reader?.resolve()
    if (this.#end === undefined) this.#linger = setTimeout(this.#connection.abandon, LINGER_MS).unref()
    this.#sink = () => false
  }

  #ended(): Promise<void> {
    this.#reader ??= Promise.withResolvers()
    if (this.#end !== undefined && 'failure' in this.#end) this.#reader.reject(this.#end.failure)
    else if (this.#end !== undefined) this.#reader.resolve()
    return this.#reader.promise
  }
}
