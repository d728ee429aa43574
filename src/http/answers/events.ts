import type { FastifyReply, FastifyRequest } from 'fastify'
import { failedWith, problemOf } from '../plugins/problems.ts'
import { MOST_WAITING_BYTES, pacedWriter } from './paced-writer.ts'

const HEARTBEAT_MS = 15_000
const FAR_BEHIND_BYTES = 4 * MOST_WAITING_BYTES

/** Writes server-sent events; nothing is sent until there is something to say, so that a bad request still gets its status. */
export interface EventStream {
  readonly begun: boolean
  /** Sends the head, where the answer is a stream whatever comes. */
  begin(): void
  /** Undefined while the client keeps up; else when there is room again. */
  room(): Promise<void> | undefined
  /** One named event with a JSON body. */
  event(name: string, data: string): void
  /** One nameless `data:` line, as the OpenAI face sends. */
  data(text: string): void
  /** Events that are already written as text. */
  text(events: string): void
  end(): void
}

export const wantsEvents = (request: FastifyRequest): boolean =>
  /text\/event-stream/i.test(request.headers.accept ?? '')

/** A comment: clients ignore it. */
const COMMENT = (): string => ': still working\n\n'

/** Opens the stream of an answer. After the first event the status is 200 for good (docs/spec/models.md §10). */
export function openEvents(reply: FastifyReply, heartbeatOf: () => string = COMMENT): EventStream {
  const writer = pacedWriter(reply.raw)
  let begun = false
  let isOver = false
  let skipsDeltas = false
  const begin = () => {
    if (begun) return
    begun = true
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies that buffer would hold the heartbeats back too.
      'x-accel-buffering': 'no',
    })
  }
  const write = (text: string) => {
    // What a call that was given up still sends must not begin a second answer.
    if (isOver || reply.raw.destroyed) return
    begin()
    writer.write(text)
  }
  const heartbeat = setInterval(() => write(heartbeatOf()), HEARTBEAT_MS)
  reply.raw.once('close', () => clearInterval(heartbeat))
  return {
    get begun() {
      return begun
    },
    begin() {
      if (isOver || reply.raw.destroyed) return
      begin()
      reply.raw.flushHeaders()
    },
    room: writer.room,
    event(name, data) {
      // Deltas are provisional: a client that falls far behind, where no model can be made to wait, is told to discard them.
      if (name === 'delta' && !skipsDeltas && writer.waitingBytes() > FAR_BEHIND_BYTES) {
        skipsDeltas = true
        write(`event: reset\ndata: ${withoutText(data)}\n\n`)
      }
      if (name !== 'delta' || !skipsDeltas) write(`event: ${name}\ndata: ${data}\n\n`)
    },
    data: (text) => write(`data: ${text}\n\n`),
    text: write,
    end() {
      isOver = true
      clearInterval(heartbeat)
      if (begun) writer.end()
    },
  }
}

/** A `delta` without its text: what a `reset` says of its call. */
function withoutText(delta: string): string {
  return JSON.stringify({ ...JSON.parse(delta), text: undefined })
}

/**
 * Runs the work and ends the stream in exactly one `done` or `error`. A failure before the first event is rethrown, to
 * become an ordinary problem answer.
 */
export async function answerWithEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (stream: EventStream) => Promise<string>,
): Promise<FastifyReply> {
  const stream = openEvents(reply)
  try {
    stream.event('done', await work(stream))
  } catch (thrown) {
    if (!stream.begun) {
      stream.end()
      throw thrown
    }
    stream.event('error', JSON.stringify(problemOf(failedWith(request, thrown), request.id)))
  }
  stream.end()
  return reply
}
