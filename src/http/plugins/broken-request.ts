import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { RecapdError } from '../../domain/errors.ts'
import { problemHeaders, problemOf } from './problems.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

// Imported by name, `node:http` reads all its members, and one of them loads Node's own undici: 30 ms and 14 MiB.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Time to read the answer before the connection is closed. */
const LINGER_MS = 2_000

/** The client ended in the middle of its request: whatever is written then, nobody reads it. */
const CLIENT_LEFT = new Set<string | undefined>(['HPE_INVALID_EOF_STATE', 'ECONNRESET', 'EPIPE'])

const sentBy = new WeakMap<Socket, number>()

/** The status that a client was sent here, where it was sent one: no reply object knows of it. */
export const statusSentOn = (socket: Socket): number | undefined => sentBy.get(socket)

/** A request Node could not even read: answered by hand, since no reply object exists yet, in the same problem shape. */
export function answerBrokenRequest(fault: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable) return
  const status = answerByHand(brokenRequest(fault.code), socket)
  if (!CLIENT_LEFT.has(fault.code)) sentBy.set(socket, status)
}

/** Whoever asks for a tunnel is on a connection of its own by then, past every hook. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  const detail = 'CONNECT is not for this service, which opens no tunnels; use GET or POST on its paths.'
  answerByHand(new RecapdError('method-not-allowed', detail, { allow: ['GET', 'POST'] }), socket)
}

/** Returns the status that was sent. */
function answerByHand(error: RecapdError, socket: Duplex): number {
  const requestId = randomUUID()
  const problem = problemOf(error, requestId)
  const body = JSON.stringify(problem)
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'x-request-id': requestId,
    ...problemHeaders(error).headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  // Node leaves the connection to us. A client that never ends its half would keep it, and what its request holds.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  return problem.status
}

function brokenRequest(code: string | undefined): RecapdError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new RecapdError(
      'request-timeout',
      'The request did not arrive within 30 s; send it faster or compress it with gzip.',
    )
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new RecapdError('headers-too-large', 'The headers are larger than 16 KiB; send fewer or shorter ones.')
  }
  return new RecapdError('invalid-request', 'This is not a well-formed HTTP/1.1 request.')
}
