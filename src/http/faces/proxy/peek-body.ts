import { Readable } from 'node:stream'

/** What of a request's body has been read: all of it, or its beginning with the rest still to come. */
export type Peeked =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'part'; readonly stream: Readable }

/**
 * Reads a body while `take` agrees to each piece; one that is too much goes on as a stream that begins with what was read.
 * Throws where the caller leaves.
 */
export async function peekBody(body: Readable, take: (piece: Buffer) => boolean): Promise<Peeked> {
  const chunks: Buffer[] = []
  let size = 0
  const source = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    chunks.push(next.value)
    size += next.value.length
    if (!take(next.value)) return { kind: 'part', stream: Readable.from(continued(chunks, source)) }
  }
  return {
    kind: 'whole',
    bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size),
  }
}

async function* continued(read: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* read
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
