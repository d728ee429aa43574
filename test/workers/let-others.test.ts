import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { letOthers } from '../../src/workers/let-others.ts'

it('letOthers lets a request be answered that is waiting, also when it is called from a callback of a socket', async () => {
  const order: string[] = []
  const server = http.createServer((_request, response) => {
    order.push('request')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const agent = new http.Agent({ keepAlive: true })
  onTestFinished(() => {
    agent.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const get = () => new Promise((resolve) => http.get({ port, agent }, (answer) => answer.resume().on('end', resolve)))
  await get()
  // From here on this runs in the callback of a socket, as a message from a worker is heard in one.
  await new Promise<void>((resolve) => {
    http.get({ port }, (answer) => {
      answer.resume()
      resolve()
    })
  })
  order.length = 0
  const waiting = get()
  await letOthers()
  order.push('work')
  await waiting
  expect(order).toEqual(['request', 'work'])
})
