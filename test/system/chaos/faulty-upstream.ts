import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { drawn, pick } from '../../support/seeded.ts'
import { answer, FAULTS, sendJson } from './faults.ts'

export interface FaultyUpstreamOptions {
  readonly name: string
  readonly seed: number
  /** Share of calls, 0 to 1, that end in a fault. */
  readonly share: number
  /** Names of the faults to draw from, all alike. */
  readonly faults: readonly string[]
  /** Tokens it really takes, whatever its configuration says. */
  readonly windowTokens: number
  /** Thinks for up to so long before a good answer, in ms; absent: not at all. */
  readonly thinksMs?: number | undefined
}

export interface FaultyUpstream {
  /** Base URL with `/v1`. */
  readonly url: string
  calls(): number
  /** Calls that were answered with a fault, by its name. */
  readonly played: ReadonlyMap<string, number>
  /** When good answers were sent whole, by the mark of their request: what a provider has on its bill. */
  readonly billed: ReadonlyMap<string, readonly number[]>
  /** Calls made with a key, by the key. */
  readonly keys: ReadonlyMap<string, number>
  connections(): number
  close(): Promise<void>
}

/** Keys whose fault is their own: every call with them ends so. */
const BAD_KEYS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  revoked: (response) => sendJson(response, 401, { error: { message: 'Incorrect API key', code: 'invalid_api_key' } }),
  forbidden: (response) =>
    sendJson(response, 403, { error: { message: 'This key may not', type: 'permission_error' } }),
  poor: (response) => sendJson(response, 429, { error: { message: 'No money', code: 'insufficient_quota' } }),
  unpaid: (response) => sendJson(response, 402, { error: { message: 'Insufficient credits' } }),
  exhausted: (response) => sendJson(response, 429, { error: { message: 'Slow down' } }, { 'retry-after': '3600' }),
}

/** The pool a provider is configured with. */
export const KEYS = [...Object.keys(BAD_KEYS), ...Array.from({ length: 12 }, (_, i) => `good-${i}`)]
export const BAD_KEY_NAMES = Object.keys(BAD_KEYS)

/** An OpenAI-compatible server that errs. Which call errs how depends on the seed and its prompt, never on who came first. */
export async function faultyUpstream(options: FaultyUpstreamOptions): Promise<FaultyUpstream> {
  const { name, seed, share, faults, windowTokens, thinksMs = 0 } = options
  const played = new Map<string, number>()
  const billed = new Map<string, number[]>()
  const keys = new Map<string, number>()
  const nth = new Map<string, number>()
  let calls = 0
  let open = 0
  const count = (map: Map<string, number>, key: string) => void map.set(key, (map.get(key) ?? 0) + 1)

  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming)
    if (body === undefined) return
    calls += 1
    const key = (incoming.headers.authorization ?? '').replace('Bearer ', '')
    count(keys, key)
    const bad = BAD_KEYS[key]
    if (bad !== undefined) return bad(response)
    if (body.length / 4 > windowTokens) return refuseLength(response, body.length)
    const mark = /mark-\d+/.exec(body)?.[0] ?? 'mark-none'
    const text = body.includes('## Goal') ? `## Goal\nTell of ${mark}.` : `It tells of ${mark}.`
    count(nth, mark)
    const lot = [seed, name, mark, nth.get(mark) ?? 0]
    if (drawn('errs', ...lot) >= share) {
      if (thinksMs > 0) await sleep(drawn('thinks', ...lot) * thinksMs)
      if (response.destroyed) return
      response.on('finish', () => void billed.set(mark, [...(billed.get(mark) ?? []), performance.now()]))
      return answer(response, { mark, text })
    }
    const fault = pick(faults, drawn('how', ...lot))
    count(played, fault)
    FAULTS[fault]?.(response, { mark, text })
  })
  server.on('connection', (socket) => {
    open += 1
    socket.on('error', () => {})
    socket.on('close', () => {
      open -= 1
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls: () => calls,
    played,
    billed,
    keys,
    connections: () => open,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  try {
    for await (const part of incoming) parts.push(part)
  } catch {
    return undefined // The caller went away while it was still sending.
  }
  return Buffer.concat(parts).toString()
}

/** Some say it in words, some only by the status, some without a body. */
function refuseLength(response: ServerResponse, bytes: number): void {
  const way = bytes % 3
  if (way === 0) sendJson(response, 400, { error: { message: 'Too long', code: 'context_length_exceeded' } })
  else if (way === 1) sendJson(response, 400, { error: { message: 'prompt is too long: 9 tokens > 8 maximum' } })
  else response.writeHead(413).end()
}
