// The wire: what a call takes of this process, over the way it goes and over the one that comes with Node.
import { createTransport } from '../../src/models/transport/transport.ts'
import { agentText } from '../agent-text.ts'
import { startUpstream } from '../gateway-load.ts'
import type { Trick } from './trick.ts'

const PROMPT_BYTES = 2_048

/** Does something with the tricks beside a provider of their own, which is gone afterwards. */
export async function withWireTricks(use: (tricks: readonly Trick[]) => Promise<void>): Promise<void> {
  const upstream = await startUpstream()
  const url = `${upstream.url}/v1/chat/completions`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: agentText(PROMPT_BYTES) }] })
  const transport = createTransport({ baseUrl: url, maxConcurrency: 1, connectMs: 1_000 })
  const { signal } = new AbortController()
  try {
    await use([
      {
        what: 'a call of 2 KB, its exchange dispatched to the pool',
        where: 'src/models/transport/transport.ts',
        ours: async () => (await transport.post(url, { headers, body, wireBytes: 1_000_000, signal })).text(),
        plain: async () => (await fetch(url, { method: 'POST', headers, body, signal })).text(),
      },
    ])
  } finally {
    await transport.close()
    await upstream.stop()
  }
}
