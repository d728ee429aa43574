import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SlowUpstream {
  /** Base URL with `/v1`. */
  readonly url: string
  /** Calls so far. */
  calls(): number
  close(): void
}

/** An OpenAI-compatible server that takes its time and answers the same to everything. */
export async function slowUpstream(delayMs: number, text: string): Promise<SlowUpstream> {
  let calls = 0
  const message = { role: 'assistant', content: text }
  const body = JSON.stringify({
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20 },
  })
  const server = createServer((request, response) => {
    calls += 1
    request.resume()
    request.on('end', () => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), delayMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: () => calls,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
