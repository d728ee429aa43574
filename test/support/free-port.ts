import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of loopback that nobody listened on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A loopback port has a number')
  return address.port
}
