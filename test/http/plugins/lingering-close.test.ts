import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { appOfFile } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { parseAnswer } from '../../support/raw-http.ts'
import { waitUntil } from '../../support/wait-until.ts'

const LENGTH = 4_000_000
const SENT = 300_000

const served = appOfFile({ config: { server: { bodyLimitBytes: 200_000 } } })

/** A client that goes on sending when the server has said its last word. */
async function stubborn(head: string): Promise<{ socket: Socket; text: () => string; faults: Error[] }> {
  const { hostname, port } = new URL(served.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  const faults: Error[] = []
  let text = ''
  socket.on('error', (error) => faults.push(error))
  socket.on('data', (part: Buffer) => {
    text += part.toString()
  })
  await once(socket, 'connect')
  socket.write(`POST /summarize HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n\r\n`)
  return { socket, text: () => text, faults }
}

it.each([
  ['as its length says', `content-type: application/json\r\ncontent-length: ${LENGTH}`, 413, 'body-too-large'],
  ['unread', `content-type: text/plain\r\ncontent-length: ${LENGTH}`, 415, 'unsupported-media-type'],
] as const)(
  'a body that is refused %s is read to its end before the connection is closed',
  async (_, head, status, code) => {
    const { socket, text, faults } = await stubborn(head)
    const isOver = once(socket, 'end')
    socket.write(Buffer.alloc(SENT, ' '))
    await isOver
    expectProblem(parseAnswer(text()), status, code)
    socket.end(Buffer.alloc(LENGTH - SENT, ' '))
    await once(socket, 'close')
    expect(faults).toEqual([])
  },
)

it('a body that is refused on its way is read to its end before the connection is closed', async () => {
  const { socket, text, faults } = await stubborn('content-type: application/json\r\ntransfer-encoding: chunked')
  const isOver = once(socket, 'end')
  const piece = `${SENT.toString(16)}\r\n${' '.repeat(SENT)}\r\n`
  socket.write(piece)
  await isOver
  expectProblem(parseAnswer(text()), 413, 'body-too-large')
  socket.end(`${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n0\r\n\r\n`)
  await once(socket, 'close')
  expect(faults).toEqual([])
  await waitUntil(() => served.service.lifecycle.inflight === 0, 'it is over')
})

/** One whose body nobody asks for, with the server's end of its connection. */
async function unread() {
  const connected = once(served.service.app.server, 'connection') as Promise<[Socket]>
  const { socket } = await stubborn(`content-type: text/plain\r\ncontent-length: ${LENGTH}`)
  const [connection] = await connected
  return { socket, connection }
}

it('what a client still sends is waited for while some of it comes within five seconds, half a minute in all', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { socket, connection } = await unread()
  const isOver = once(socket, 'end')
  socket.write('first')
  await isOver
  const waitedFor: number[] = []
  for (let seconds = 5; seconds <= 30; seconds += 5) {
    const { bytesRead } = connection
    socket.write('more')
    await waitUntil(() => connection.bytesRead > bytesRead, 'it was read')
    vi.advanceTimersByTime(5_000)
    if (!connection.destroyed) waitedFor.push(seconds)
  }
  expect(waitedFor).toEqual([5, 10, 15, 20, 25])
  expect(connection.destroyed).toBe(true)
})

it('a client that falls silent is not waited for', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { socket, connection } = await unread()
  await once(socket, 'end')
  vi.advanceTimersByTime(4_900)
  expect(connection.destroyed).toBe(false)
  vi.advanceTimersByTime(200)
  expect(connection.destroyed).toBe(true)
})
