import http from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { serverOfTest } from '../../support/server-of-test.ts'
import { serviceOfTest } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'

const REQUESTS = 1_500
const AT_ONCE = 32
const BODY = Buffer.alloc(200_000, 'words ')
/** Left to itself, V8 marks all it holds six to twenty times meanwhile. */
const MOST_MARKINGS = 4

/** A provider that reads and says yes. */
const upstream = () =>
  serverOfTest((request, response) => {
    request.resume().once('end', () => response.end('{}'))
  })

it.each([
  ['as it starts', []],
  ['as it has grown after days', ['--min-semi-space-size=32']],
])(
  'deadBodies lets 300 MB of bodies pass the proxy without V8 marking its heap for them: the young generation %s',
  {
    timeout: 120_000,
  },
  async (_state, flags) => {
    const proxy = { mock: { url: (await upstream()).url, speaks: 'anthropic' } }
    const service = await serviceOfTest(
      { proxy, rateLimit: { max: 1_000_000 } },
      { command: (program, args) => [program, ['--trace-gc', ...flags, ...args]] },
    )
    const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
    onTestFinished(() => agent.destroy())
    const send = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = http.request(
          `${service.url}/proxy/mock/v1/messages`,
          { method: 'POST', agent, headers: { 'content-length': BODY.length } },
          (response) => response.resume().once('end', () => resolve(response.statusCode)),
        )
        request.once('error', reject).end(BODY)
      })
    const markings = () => service.logs().match(/Mark-Compact/g)?.length ?? 0

    // What starting left behind is gone, and V8 counts from what is left.
    await waitUntil(() => service.logs().includes('Mark-Compact (reduce)'), 'the heap has settled')
    const before = markings()
    const answers = await Promise.all(Array.from({ length: REQUESTS }, send))

    expect(answers.filter((status) => status !== 200)).toEqual([])
    expect(service.logs()).toContain('Scavenge')
    expect(markings() - before).toBeLessThanOrEqual(MOST_MARKINGS)
  },
)
