import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'
import { RecapdError } from '../../domain/errors.ts'

/** Bytes given out at once: a body of 64 MiB in a thousand pieces, and no more than one beyond the limit. */
export const PIECE = { chunkSize: 65_536 }

export const INFLATERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(PIECE),
  // An old name of the same coding (RFC 9110 §8.4.1.3).
  'x-gzip': () => zlib.createGunzip(PIECE),
  deflate: () => zlib.createInflate(PIECE),
  br: () => zlib.createBrotliDecompress(PIECE),
}

/** The body as it was before its content coding; the payload itself where there is none. Throws on an unknown coding. */
export function inflate(payload: IncomingMessage): Readable {
  const coding = payload.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return payload
  const inflater = Object.hasOwn(INFLATERS, coding) ? INFLATERS[coding] : undefined
  if (inflater === undefined) {
    throw new RecapdError(
      'unsupported-media-type',
      'This content-encoding is not known; use gzip, br, deflate or none.',
    )
  }
  // Not stream.pipeline: it would destroy the request with the inflater, and the client would not get its answer.
  return payload.pipe(inflater())
}
