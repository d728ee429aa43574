import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { responseHeaders } from './pass-headers.ts'

/** A body that was read already, in the pieces in which it came, or one as it arrives. */
export type PassedBody = readonly Buffer[] | Readable | null

/** One exchange with an upstream. */
export interface Passing {
  readonly upstream: Dispatcher
  readonly path: string
  readonly headers: readonly string[]
  readonly body: PassedBody
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Called before the head of the answer is written; what fails earlier can still be answered in our words. */
  readonly onHead: () => void
  /** Hears how many bytes of bodies went in and came out. */
  readonly onBytes: (direction: 'in' | 'out', count: number) => void
}

/**
 * Hands a request on and the answer back, byte for byte and chunk by chunk, with back pressure both ways. Resolves when
 * the answer is over; rejects only while nothing of it was sent, so that an error can still be answered. When the caller
 * leaves, the upstream request is aborted; an answer that breaks off upstream is broken off here.
 */
export function passThrough(passing: Passing): Promise<void> {
  return new Promise((resolve, reject) => {
    const { upstream, path, headers, body, request } = passing
    const method = request.method ?? 'GET'
    // One piece is written together with the head.
    const whole = body !== null && 'length' in body && body.length === 1 ? body[0] : body
    upstream.dispatch(
      // Undici takes whatever gives pieces one by one; its types know streams only.
      { method, path, headers: [...headers], body: whole as Readable | null },
      new Exchange(passing, resolve, reject),
    )
  })
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #passing: Passing
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #hasBegun = false
  #isOver = false

  constructor(passing: Passing, resolve: () => void, reject: (error: unknown) => void) {
    this.#passing = passing
    this.#resolve = resolve
    this.#reject = reject
    passing.response.on('close', this.#leave)
    passing.response.on('drain', this.#goOn)
  }

  readonly #leave = (): void => {
    if (!this.#isOver) this.#controller?.abort(new CallerLeft())
  }

  readonly #goOn = (): void => {
    if (this.#controller?.paused) this.#controller.resume()
  }

  readonly #flushHead = (): void => {
    if (!this.#hasBegun) this.#passing.response.flushHeaders()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#passing.response.destroyed) controller.abort(new CallerLeft())
  }

  onBodySent(chunk: Buffer): void {
    this.#passing.onBytes('in', chunk.length)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusMessage?: string,
  ): void {
    if (status < 200) return
    const { response, onHead } = this.#passing
    onHead()
    const headers = responseHeaders(rawText(controller.rawHeaders))
    response.writeHead(status, statusMessage ?? '', [...headers, 'x-recapd', 'pass'])
    // An agent shows that work has begun as soon as it sees the head; what came in one packet is sent in one.
    process.nextTick(this.#flushHead)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#hasBegun = true
    this.#passing.onBytes('out', chunk.length)
    if (!this.#passing.response.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.#hasBegun = true
    this.#passing.response.end()
    this.#over()
    this.#resolve()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#hasBegun = true
    const { response } = this.#passing
    this.#over()
    if (response.headersSent || error instanceof CallerLeft) {
      response.destroy()
      this.#resolve()
    } else {
      this.#reject(error)
    }
  }

  #over(): void {
    this.#isOver = true
    this.#passing.response.off('close', this.#leave)
    this.#passing.response.off('drain', this.#goOn)
  }
}

/** The caller closed the connection before the answer was over. */
class CallerLeft extends Error {
  override readonly name = 'CallerLeft'
}

/** Header bytes as Node writes them: one character a byte. */
function rawText(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return []
  return raw.map((piece) => (typeof piece === 'string' ? piece : piece.toString('latin1')))
}
