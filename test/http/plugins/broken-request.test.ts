import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ErrorCode } from '../../../src/domain/errors.ts'
import { answerBrokenRequest } from '../../../src/http/plugins/broken-request.ts'
import { appOfFile, appOfTest } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { open, parseAnswer } from '../../support/raw-http.ts'
import { waitUntil } from '../../support/wait-until.ts'

const served = appOfFile()

/** Both ends of one connection of loopback. */
async function pair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  const [far] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    near.destroy()
    far.destroy()
    server.close()
  })
  return { near, far }
}

const fault = (code: string) => Object.assign(new Error('x'), { code })

describe('a request Node cannot read', () => {
  it.each<[status: number, code: ErrorCode, text: string, headers: object]>([
    [431, 'headers-too-large', `GET /livez HTTP/1.1\r\nhost: x\r\nx-much: ${'x'.repeat(20_000)}\r\n\r\n`, {}],
    [
      400,
      'invalid-request',
      'EHLO mail.example.com\r\n\r\n',
      { connection: 'close', 'x-content-type-options': 'nosniff' },
    ],
    [
      405,
      'method-not-allowed',
      'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n',
      { allow: 'GET, POST' },
    ],
  ])('is %i %s', async (status, code, text, headers) => {
    const connection = await open(served.url)
    connection.socket.write(text)
    await connection.closed
    const answer = parseAnswer(connection.text())
    expectProblem(answer, status, code)
    expect(answer.headers).toMatchObject(headers)
  })

  it('400 for a body whose chunks are damaged; nobody is at fault and nothing stays counted', async () => {
    const connection = await open(served.url)
    connection.socket.write(
      'POST /summarize HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"pro\r\n',
    )
    await waitUntil(() => served.service.lifecycle.inflight === 1, 'it is under way')
    connection.socket.write('no length\r\n')
    await connection.closed
    expectProblem(parseAnswer(connection.text()), 400, 'invalid-request')
    await waitUntil(() => served.service.lifecycle.inflight === 0, 'it is over')
    expect(served.service.lines.filter(({ route }) => route === '/summarize').at(-1)).toMatchObject({ status: 400 })
    expect(served.service.lines.filter(({ msg }) => msg === 'internal fault')).toEqual([])
  })
})

describe('answerBrokenRequest', () => {
  it('408 where the request did not arrive in time', async () => {
    const { near, far } = await pair()
    answerBrokenRequest(fault('ERR_HTTP_REQUEST_TIMEOUT'), far)
    let text = ''
    for await (const part of near) text += String(part)
    const problem = expectProblem(parseAnswer(text), 408, 'request-timeout')
    expect(problem.retryable).toBe(true)
  })

  it('closes the connection of a client that would keep it for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { near, far } = await pair()
    const closed = once(far, 'close')
    near.resume()
    answerBrokenRequest(fault('ERR_HTTP_REQUEST_TIMEOUT'), far)
    await once(near, 'end')
    expect(far.destroyed).toBe(false)
    vi.advanceTimersByTime(2_000)
    await closed
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says nothing into a connection that is gone', async () => {
    const { far } = await pair()
    far.destroy()
    expect(() => answerBrokenRequest(fault('ECONNRESET'), far)).not.toThrow()
  })
})

/** A service of its own that has half of a body, and what Node says of that connection. */
async function halfABody() {
  const own = await appOfTest()
  const base = await own.listen()
  const arrived = once(own.app.server, 'connection')
  const connection = await open(base)
  const [far] = (await arrived) as [Socket]
  connection.socket.write(
    'POST /summarize HTTP/1.1\r\nhost: x\r\nx-request-id: slow\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"prompt": "half',
  )
  await waitUntil(() => own.lifecycle.inflight === 1, 'it is under way')
  const says = (code: string) => own.app.server.emit('clientError', fault(code), far)
  const line = () => waitUntil(() => own.lines.find(({ reqId }) => reqId === 'slow'), 'its line')
  return { own, connection, says, line }
}

describe('a body that never arrives', () => {
  it('gives everything back once its time is over', async () => {
    const { own, connection, says, line } = await halfABody()
    // What Node does when requestTimeout has passed.
    says('ERR_HTTP_REQUEST_TIMEOUT')
    await connection.closed
    expectProblem(parseAnswer(connection.text()), 408, 'request-timeout')
    expect(await line()).toMatchObject({ status: 408, route: '/summarize' })
    expect(own.lifecycle.inflight).toBe(0)
    expect(own.lines.filter(({ msg }) => msg === 'internal fault')).toEqual([])
  })

  it.each(['HPE_INVALID_EOF_STATE', 'ECONNRESET'])('counts as gone what ended it itself (%s)', async (code) => {
    const { connection, says, line } = await halfABody()
    says(code)
    connection.socket.destroy()
    expect(await line()).toMatchObject({ status: 499 })
  })

  it('has 30 s, its headers 15 s and 16 KiB', () => {
    expect(served.service.app.server).toMatchObject({ requestTimeout: 30_000, headersTimeout: 15_000 })
  })
})
