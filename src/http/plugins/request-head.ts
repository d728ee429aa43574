import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import { refuseTunnel } from './broken-request.ts'

/**
 * What Node would refuse by itself, without a body: a missing or double Host, an unknown expectation, a tunnel. Here such requests
 * get a problem like all others (docs/spec/hostile.md §6).
 */
export function registerRequestHead(app: FastifyInstance): void {
  app.server.on('connect', refuseTunnel)
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, _reply, done) => {
    const { expect } = request.headers
    if (expect !== undefined && !/^100-continue$/i.test(expect)) {
      throw new RecapdError(
        'expectation-failed',
        'The only expectation this service meets is 100-continue; leave the expect header out.',
      )
    }
    if (hostsOf(request) !== 1 && request.raw.httpVersion !== '1.0') {
      throw new RecapdError('invalid-request', 'A request needs exactly one Host header; send one.', {
        errors: [{ path: '/headers/host', message: 'expected exactly one' }],
      })
    }
    done()
  })
}

/** Node keeps the first of several. */
function hostsOf({ raw: { rawHeaders } }: FastifyRequest): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
