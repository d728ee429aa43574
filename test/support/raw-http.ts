import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Answered } from './expect-problem.ts'

export interface RawAnswer extends Answered {
  /** The reason phrase, which fetch does not show. */
  readonly reason: string
}

export interface RawRequest {
  readonly method?: string
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Uint8Array
}

/** One request on a connection of its own. */
export function request(url: string, { method = 'POST', headers = {}, body }: RawRequest = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { method, headers, agent: false }, (response) => {
      read(response).then(resolve, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export async function read(response: IncomingMessage): Promise<RawAnswer> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return {
    status: response.statusCode ?? 0,
    reason: response.statusMessage ?? '',
    headers: response.headers,
    body: Buffer.concat(parts).toString(),
  }
}

/** JSON with its header. */
export function json(value: unknown, headers: http.OutgoingHttpHeaders = {}): RawRequest {
  return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

export interface RawSocket {
  readonly socket: Socket
  /** Everything the server sent so far. */
  text(): string
  /** Resolves once the server sent something that matches. */
  seen(pattern: RegExp): Promise<string>
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<unknown>
}

/** A connection by hand, for what no HTTP client would send. */
export async function open(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  socket.on('data', (part: Buffer) => {
    text += part.toString()
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  return {
    socket,
    text: () => text,
    closed,
    async seen(pattern) {
      while (!pattern.test(text)) await Promise.race([once(socket, 'data'), closed.then(() => gone(pattern, text))])
      return text
    },
  }
}

function gone(pattern: RegExp, text: string): never {
  throw new Error(`The connection ended without ${pattern}; it said: ${text.slice(0, 500)}`)
}

/** An answer as it came over a raw socket, read as far as its head and the rest. */
export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const [, status = '0', reason = ''] = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(first) ?? []
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
  return { status: Number(status), reason, headers, body: text.slice(end + 4) }
}
