import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A client may go on sending a body that was answered already, while some of it comes between two looks … */
const LOOK_MS = 5_000
/** … and for so many looks, half a minute: what an unanswered body has, too. On a busy machine many long ones take their time. */
const MOST_LOOKS = 6

/**
 * An answer may come before its body has: 413, 429, 503. Where the client asked for the connection to be closed, Node closes it at that
 * moment, and bytes that arrive at a closed socket reset it: the client would see that instead of its answer. So what it still sends is
 * read and dropped first (RFC 9112 §9.6).
 */
export function registerLingeringClose(app: FastifyInstance): void {
  app.server.on('request', (request, response) => {
    // Before Node's own listener, which closes.
    response.prependOnceListener('finish', () => {
      if (!request.complete) closeBehind(request)
    })
  })
}

/** The next soft close of the connection waits for the end of the body. */
function closeBehind(request: IncomingMessage): void {
  const { socket } = request
  const closeNow = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    socket.destroySoon = closeNow
    // A connection that was kept comes here with a later request.
    if (request.complete) return closeNow()
    socket.end()
    let looks = 0
    let read = socket.bytesRead
    // By the bytes of the connection: of a body that nobody asked for Node tells nothing else.
    const timer = setInterval(() => {
      looks += 1
      if (socket.bytesRead === read || looks === MOST_LOOKS) closeNow()
      read = socket.bytesRead
    }, LOOK_MS)
    timer.unref()
    request.once('end', closeNow)
    socket.once('close', () => clearInterval(timer))
    request.resume()
  }
}
