import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { RecapdError } from '../domain/errors.ts'
import { inflate } from './inflate.ts'

/**
 * All bytes of a body, inflated. `take` counts each piece and may throw to refuse it: then nothing more is inflated or
 * kept, but what the client still sends is read and dropped. A socket closed on unread bytes resets the connection, and
 * the client would see that instead of its answer.
 */
export function collect(payload: IncomingMessage, take: (bytes: number) => void): Promise<Buffer> {
  const body = inflate(payload)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const refuse = (reason: unknown) => {
      body.off('data', onData)
      if (body !== payload) stop(body, payload)
      payload.resume()
      reject(reason)
    }
    const onData = (chunk: Buffer) => {
      try {
        take(chunk.length)
      } catch (error) {
        return refuse(error)
      }
      chunks.push(chunk)
    }
    body.on('data', onData)
    body.once('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    payload.on('error', () => refuse(new RecapdError('client-closed', 'The client went away.')))
    if (body !== payload) body.on('error', () => refuse(damaged()))
  })
}

function stop(inflater: Readable, payload: IncomingMessage): void {
  payload.unpipe()
  inflater.destroy()
}

const damaged = (): RecapdError =>
  new RecapdError('invalid-request', 'The compressed body is damaged or cut; send it again.')
