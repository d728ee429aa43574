import http from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { letOthers } from '../../../src/models/signals/let-others.ts'
import { serverOfTest } from '../../support/server-of-test.ts'

it('letOthers lets a request be answered that is waiting, also when it is called from a callback of a socket', async () => {
  const order: string[] = []
  const { port } = await serverOfTest((_request, response) => {
    order.push('request')
    response.end()
  })
  const agent = new http.Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
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
