import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { RecapdError } from '../../domain/errors.ts'
import { SHORT_WORK_BYTES } from '../../requests/long-work.ts'
import { inflate } from './inflate.ts'

interface Collector {
  /** Looks at a piece, and may throw to refuse it. */
  readonly take: (piece: Buffer) => void
  /** Called once, with the whole body or the reason why there is none. */
  readonly done: (error: Error | null, bytes?: Buffer) => void
  /** How much of a refused body is still read and dropped; a client that sends more is cut off. */
  readonly dropBytes: number
  /** Hears how many bytes were read that nobody needs any more and only a collection frees. */
  readonly dead: (bytes: number) => void
}

/**
 * All bytes of a body, inflated. Once refused nothing more is inflated or kept, but what the client still sends is read
 * and dropped: a socket closed on unread bytes resets the connection, and the client would see that instead of its answer.
 */
export function collect(payload: IncomingMessage, { take, done, dropBytes, dead }: Collector): void {
  const body = inflate(payload)
  const isPlain = body === payload
  // What an inflater gives out may lie in memory that it goes on using.
  const letGo = isPlain ? giveBack : ({ length }: Buffer) => dead(length)
  const pieces = gather(isPlain ? Number(payload.headers['content-length'] ?? 0) : 0, letGo)
  let isOver = false
  const refuse = (reason: Error) => {
    if (isOver) return
    isOver = true
    body.off('data', onData)
    if (!isPlain) stop(body, payload)
    dead(pieces.forget())
    drop(payload, dropBytes)
    done(reason)
  }
  const onData = (piece: Buffer) => {
    try {
      take(piece)
      pieces.add(piece)
    } catch (error) {
      letGo(piece)
      refuse(error instanceof Error ? error : new Error('refused', { cause: error }))
    }
  }
  body.on('data', onData)
  body.on('end', () => {
    if (isOver) return
    isOver = true
    done(null, pieces.whole())
  })
  payload.on('error', () => refuse(new RecapdError('client-closed', 'The client went away.')))
  if (!isPlain) body.on('error', () => refuse(damaged()))
}

/**
 * Pieces of one body. A long one is put where threads can read it, too: nothing has to be copied for a thread, nor again
 * when that thread ends. The room for it is made once a good part has come: a length alone is easily claimed.
 */
function gather(length: number, letGo: (piece: Buffer) => void) {
  const moved = (piece: Buffer, into: Buffer, at: number): number => {
    const copied = piece.copy(into, at)
    letGo(piece)
    return copied
  }
  let pieces: Buffer[] = []
  let bytes = 0
  let shared: Buffer | undefined
  return {
    add(piece: Buffer): void {
      if (shared === undefined && length > SHORT_WORK_BYTES && bytes + piece.length > SHORT_WORK_BYTES) {
        shared = sharedBuffer(length)
        let at = 0
        for (const early of pieces) at += moved(early, shared, at)
        pieces = []
      }
      // What was moved has no length any more.
      const more = piece.length
      if (shared === undefined) pieces.push(piece)
      else moved(piece, shared, bytes)
      bytes += more
    },
    /** What was gathered of a refused body is not kept while the rest is dropped; returns how much of it a collection has to free. */
    forget(): number {
      for (const piece of pieces) letGo(piece)
      const forgotten = shared === undefined ? 0 : bytes
      pieces = []
      shared = undefined
      bytes = 0
      return forgotten
    },
    whole(): Buffer {
      if (shared !== undefined) return shared.subarray(0, bytes)
      const [only, ...more] = pieces
      if (only !== undefined && more.length === 0 && bytes <= SHORT_WORK_BYTES) return only
      if (bytes <= SHORT_WORK_BYTES) return Buffer.concat(pieces)
      const whole = sharedBuffer(bytes)
      let at = 0
      for (const piece of pieces) at += moved(piece, whole, at)
      pieces = []
      return whole
    },
  }
}

const sharedBuffer = (length: number): Buffer => Buffer.from(new SharedArrayBuffer(length))

/**
 * Frees a piece that came from the socket, in memory of its own, at once. V8 frees it when it collects, counts it until then, and marks the whole
 * heap for a few hundred of them (docs/decisions/0020-dead-bodies-are-collected-young.md).
 */
function giveBack({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

function drop(payload: IncomingMessage, dropBytes: number): void {
  let dropped = 0
  payload.on('data', (piece: Buffer) => {
    dropped += piece.length
    giveBack(piece)
    if (dropped > dropBytes) payload.destroy()
  })
  payload.resume()
}

function stop(inflater: Readable, payload: IncomingMessage): void {
  payload.unpipe()
  inflater.destroy()
}

const damaged = (): RecapdError =>
  new RecapdError('invalid-request', 'The compressed body is damaged or cut; send it again.')
