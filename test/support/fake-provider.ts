import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One scripted answer of the loopback provider. Plain `{ text }` is a chat completion, streamed when the request asks. */
export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string | string[]>
  readonly text?: string
  readonly finishReason?: string | null
  readonly usage?: object | null
  /** Fields merged over the assistant message (or sent as one more delta). */
  readonly message?: object
  readonly reasoning?: string
  /** Streamed pieces of the text; default: pieces of 16 characters. */
  readonly chunks?: readonly string[]
  readonly chunkDelayMs?: number
  readonly json?: unknown
  readonly raw?: string
  readonly contentType?: string
  readonly delayMs?: number
  /** Answers only when this has resolved. */
  readonly after?: Promise<void>
  /** Reads the request and never answers. */
  readonly hang?: boolean
  /** Destroys the socket before any answer. */
  readonly reset?: boolean
  /** Sends so many bytes of `raw`, then destroys the socket (cutAfter) or falls silent (stallAfter). */
  readonly cutAfter?: number
  readonly stallAfter?: number
  /** Answers JSON although the request asked for a stream. */
  readonly ignoreStream?: boolean
}

export interface RecordedRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
  /** The body as it came. */
  readonly text: string
  /** True once the caller closed the connection before the answer was complete. */
  closedEarly: boolean
  /** Resolves when the exchange is over, whoever ended it. */
  readonly over: Promise<void>
}

export type Script = readonly Reply[] | ((request: RecordedRequest, index: number) => Reply)

export interface FakeProvider {
  /** Base URL with `/v1`. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** Open connections, and the most there were at once. */
  connections(): number
  peakConnections(): number
  close(): Promise<void>
}

/** A chat completion as a provider answers it. */
export function completion(text: string, extra: Omit<Reply, 'text'> = {}): Reply {
  return { text, ...extra }
}

/** An error answer; without a body argument it is the usual `{ error: { message } }`. */
export function status(code: number, headers: Reply['headers'] = {}, json?: unknown): Reply {
  return { status: code, headers, json: json ?? { error: { message: `scripted ${code}`, type: 'scripted' } } }
}

/** A real HTTP server on loopback that plays a script (its last reply repeats) and records what it was asked. */
export async function fakeProvider(script: Script): Promise<FakeProvider> {
  const requests: RecordedRequest[] = []
  let open = 0
  let peak = 0
  const server = createServer(async (incoming, response) => {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const parts: Buffer[] = []
    try {
      for await (const part of incoming) parts.push(part)
    } catch {
      return // The caller went away while it was still sending.
    }
    const text = Buffer.concat(parts).toString()
    const body = JSON.parse(text || '{}')
    const request: RecordedRequest = {
      url: incoming.url ?? '',
      headers: incoming.headers,
      body,
      text,
      closedEarly: false,
      over,
    }
    response.on('close', () => {
      request.closedEarly = !response.writableEnded
      resolve()
    })
    const index = requests.push(request) - 1
    const reply = typeof script === 'function' ? script(request, index) : script[Math.min(index, script.length - 1)]
    await play(reply ?? {}, request, response)
  })
  server.on('connection', (socket) => {
    open += 1
    peak = Math.max(peak, open)
    socket.on('close', () => {
      open -= 1
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    connections: () => open,
    peakConnections: () => peak,
    close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      return closed.then(() => undefined)
    },
  }
}

async function play(reply: Reply, request: RecordedRequest, response: ServerResponse): Promise<void> {
  await reply.after
  if (reply.delayMs !== undefined) await sleep(reply.delayMs, undefined, { ref: false })
  if (reply.hang || request.closedEarly) return
  if (reply.reset) {
    response.socket?.destroy()
    return
  }
  if (reply.raw !== undefined) return playRaw(reply, reply.raw, response)
  if (reply.json !== undefined) return playJson(reply, reply.json, response)
  if (request.body['stream'] === true && !reply.ignoreStream) return playStream(reply, response)
  const message = {
    role: 'assistant',
    content: reply.text ?? '',
    ...(reply.reasoning ? { reasoning_content: reply.reasoning } : {}),
    ...reply.message,
  }
  const choice = { index: 0, message, finish_reason: finishOf(reply) }
  return playJson(reply, { id: 'c', object: 'chat.completion', choices: [choice], ...usageOf(reply) }, response)
}

function playJson(reply: Reply, value: unknown, response: ServerResponse): void {
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
  response.end(JSON.stringify(value))
}

function playRaw(reply: Reply, raw: string, response: ServerResponse): void {
  response.writeHead(reply.status ?? 200, { 'content-type': reply.contentType ?? 'application/json', ...reply.headers })
  if (reply.cutAfter !== undefined) response.write(raw.slice(0, reply.cutAfter), () => response.socket?.destroy())
  else if (reply.stallAfter !== undefined) response.write(raw.slice(0, reply.stallAfter))
  else response.end(raw)
}

async function playStream(reply: Reply, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
  send({ role: 'assistant', content: '' })
  if (reply.reasoning) send({ reasoning_content: reply.reasoning })
  for (const content of reply.chunks ?? reply.text?.match(/[\s\S]{1,16}/gu) ?? []) {
    send({ content })
    if (reply.chunkDelayMs !== undefined) await sleep(reply.chunkDelayMs, undefined, { ref: false })
  }
  if (reply.message) send(reply.message)
  send({}, finishOf(reply))
  if (reply.usage !== null) response.write(`data: ${JSON.stringify({ id: 'c', choices: [], ...usageOf(reply) })}\n\n`)
  response.end('data: [DONE]\n\n')
}

function finishOf(reply: Reply): string | null {
  return reply.finishReason === undefined ? 'stop' : reply.finishReason
}

function usageOf(reply: Reply): object {
  if (reply.usage === null) return {}
  return { usage: reply.usage ?? { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }
}
