import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** What one call of an upstream is about. */
export interface Asked {
  /** The request it belongs to. */
  readonly mark: string
  /** What a sane upstream would say. */
  readonly text: string
}

type Fault = (response: ServerResponse, asked: Asked) => void

const PAGE = '<!doctype html><html><body><h1>Sign in to the hotel network</h1></body></html>'
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const DONE = 'data: [DONE]\n\n'

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function sendEvents(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
}

/** The good answer, as a stream. */
export function answer(response: ServerResponse, { text }: Asked): void {
  const usage = { prompt_tokens: 100, completion_tokens: 20 }
  sendEvents(response, [
    chunk({ role: 'assistant', content: text }),
    chunk({}, 'stop'),
    `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
    DONE,
  ])
}

const status =
  (code: number, message = `scripted ${code}`): Fault =>
  (response) =>
    sendJson(response, code, { error: { message, type: 'scripted' } })
const limited =
  (headers: () => Record<string, string | string[]>, message = 'Rate limit reached for requests'): Fault =>
  (response) =>
    sendJson(response, 429, { error: { message, type: 'rate_limit_error' } }, headers())
const message =
  (fields: object, finish = 'stop'): Fault =>
  (response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, message: { role: 'assistant', ...fields }, finish_reason: finish }],
    })
const raw =
  (text: string, contentType = 'application/json', code = 200): Fault =>
  (response) =>
    response.writeHead(code, { 'content-type': contentType }).end(text)

const CALL = { id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }
const DRIP_MS = 25

/** Piece by piece; `pieces` decides whether it ends in time. */
const drip =
  (pieces: number): Fault =>
  (response, { text }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const timer = setInterval(() => {
      sent += 1
      if (sent < pieces) return void response.write(chunk({ content: sent === 1 ? text : ' .' }))
      response.end(chunk({}, 'stop') + DONE)
      clearInterval(timer)
    }, DRIP_MS)
    response.on('close', () => clearInterval(timer))
  }

/** More than any answer may weigh; written as the reader takes it, so that it costs this process nothing. */
const huge: Fault = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const megabyte = Buffer.alloc(1_048_576, 0x20)
  const more = (left: number) => {
    if (left === 0 || response.destroyed) return void response.end()
    response.write(megabyte, () => more(left - 1))
  }
  more(40)
}

/** Everything a provider has been seen to do instead of answering (docs/bug-log.md §2, §7, §9). Keys and windows are the upstream's. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'limit in seconds': limited(() => ({ 'retry-after': '1' })),
  'limit until a date': limited(() => ({ 'retry-after': new Date(Date.now() + 2_000).toUTCString() })),
  'limit until a past date': limited(() => ({ 'retry-after': new Date(Date.now() - 60_000).toUTCString() })),
  'limit in ms': limited(() => ({ 'retry-after-ms': '20' })),
  'limit by reset': limited(() => ({ 'x-ratelimit-reset-requests': '40ms', 'x-ratelimit-remaining-requests': '0' })),
  'limit in junk': limited(() => ({ 'retry-after': 'soon', 'x-ratelimit-reset': 'NaN' })),
  'limit in negative seconds': limited(() => ({ 'retry-after': '-5' })),
  'limit in two headers': limited(() => ({ 'retry-after': ['0', '0.05'] })),
  'limit in words': limited(() => ({}), 'Rate limit reached, please try again in 30ms.'),
  'limit without a word': (response) => response.writeHead(429).end(),
  hang: () => {},
  'reset before headers': (response) => response.socket?.destroy(),
  'reset after headers': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    setImmediate(() => response.socket?.destroy())
  },
  'reset with an RST': (response) => response.socket?.resetAndDestroy(),
  'page with 200': raw(PAGE, 'text/html'),
  'page with 502': raw(PAGE, 'text/html', 502),
  'cut JSON': raw('{"choices":[{"index":0,"message":{"role":"assista'),
  'no body': raw(''),
  blank: message({ content: ' \n\t ' }),
  'reasoning only': message({ content: '', reasoning_content: 'I should think about it.' }),
  'tool call only': message({ content: null, tool_calls: [CALL] }, 'tool_calls'),
  'no choices': (response) => sendJson(response, 200, { choices: [] }),
  length: (response, asked) => message({ content: asked.text }, 'length')(response, asked),
  'length without text': message({ content: '', reasoning_content: 'Much to think of.' }, 'length'),
  'content filter': message({ content: '' }, 'content_filter'),
  'no heading': (response, asked) => message({ content: `I would rather not talk of ${asked.mark}.` })(response, asked),
  'error with 200': (response) => sendJson(response, 200, { error: { message: 'Provider returned error', code: 502 } }),
  '400': status(400, 'unknown field foo'),
  '404': status(404, 'The model `small` does not exist'),
  '405': status(405),
  '408': status(408),
  '409': status(409),
  '422': status(422, 'input should be a valid string'),
  '425': status(425),
  '500': status(500),
  '502': status(502),
  '503': status(503, 'Service unavailable'),
  '504': status(504),
  '529': status(529, 'Overloaded'),
  'slow drip': drip(8),
  'endless drip': drip(1_000),
  'stream cut': (response, { text }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: text.slice(0, 6) }), () => response.socket?.destroy())
  },
  'stream that ends early': (response, { text }) => sendEvents(response, [chunk({ content: text.slice(0, 6) })]),
  'stream stalled': (response, { text }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: text.slice(0, 6) }))
  },
  'stream with an error': (response, { text }) =>
    sendEvents(response, [
      chunk({ content: text.slice(0, 6) }),
      `event: error\ndata: ${JSON.stringify({ error: { type: 'overloaded_error', message: 'Overloaded' } })}\n\n`,
    ]),
  'stream of junk': (response) => sendEvents(response, ['data: {"choices":[{\n\n']),
  'huge body': huge,
  'another page': (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/v1/chat/completions' }).end(),
  'no HTTP': (response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'headers without end': (response) =>
    response.socket?.end(`HTTP/1.1 200 OK\r\n${`x-filler: ${'y'.repeat(1_000)}\r\n`.repeat(40)}\r\n{}`),
  'shorter than it says': (response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"choices":')
  },
  'gzip unasked': (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{}')),
  'a word before the answer': (response, asked) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    answer(response, asked)
  },
}
