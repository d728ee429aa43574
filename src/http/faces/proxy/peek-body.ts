import { Readable } from 'node:stream'
import { RecapdError } from '../../../domain/errors.ts'

/** How much of a request's body has been read: all of it, in the pieces in which it came, or its beginning, with the rest still to come. */
export type Peeked =
  | { readonly kind: 'whole'; readonly pieces: readonly Buffer[] }
  | { readonly kind: 'part'; readonly stream: Readable }

/**
 * Reads a body while `take` agrees to each piece; one that is too much goes on as a stream that begins with what was read.
 * Rejects where the caller leaves. By events: an iterator costs more than all else that a small request needs here.
 */
export function peekBody(body: Readable, take: (piece: Buffer) => boolean): Promise<Peeked> {
  const pieces: Buffer[] = []
  return new Promise((resolve, reject) => {
    const onData = (piece: Buffer) => {
      pieces.push(piece)
      if (take(piece)) return
      body.pause()
      settle()
      resolve({ kind: 'part', stream: Readable.from(continued(pieces, body)) })
    }
    const onEnd = () => {
      settle()
      resolve({ kind: 'whole', pieces })
    }
    const onGone = () => {
      settle()
      reject(new RecapdError('client-closed', 'The client went away.'))
    }
    const settle = () => body.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    if (body.destroyed) return onGone()
    body.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

async function* continued(read: readonly Buffer[], rest: Readable): AsyncGenerator<Buffer> {
  yield* read
  yield* rest
}
