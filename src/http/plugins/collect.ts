import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { RecapdError } from '../../domain/errors.ts'
import { inflate } from './inflate.ts'

interface Collector {
  /** Counts a piece, and may throw to refuse it. */
  readonly take: (bytes: number) => void
  /** Called once, with the whole body or the reason why there is none. */
  readonly done: (error: Error | null, bytes?: Buffer) => void
}

/**
 * All bytes of a body, inflated. Once refused nothing more is inflated or kept, but what the client still sends is read
 * and dropped: a socket closed on unread bytes resets the connection, and the client would see that instead of its answer.
 */
export function collect(payload: IncomingMessage, { take, done }: Collector): void {
  const body = inflate(payload)
  const chunks: Buffer[] = []
  let isOver = false
  const refuse = (reason: Error) => {
    if (isOver) return
    isOver = true
    body.off('data', onData)
    if (body !== payload) stop(body, payload)
    payload.resume()
    done(reason)
  }
  const onData = (chunk: Buffer) => {
    try {
      take(chunk.length)
    } catch (error) {
      return refuse(error as Error)
    }
    chunks.push(chunk)
  }
  body.on('data', onData)
  body.on('end', () => {
    if (isOver) return
    isOver = true
    done(null, chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
  })
  payload.on('error', () => refuse(new RecapdError('client-closed', 'The client went away.')))
  if (body !== payload) body.on('error', () => refuse(damaged()))
}

function stop(inflater: Readable, payload: IncomingMessage): void {
  payload.unpipe()
  inflater.destroy()
}

const damaged = (): RecapdError =>
  new RecapdError('invalid-request', 'The compressed body is damaged or cut; send it again.')
