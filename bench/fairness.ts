// One key with 640 connections that only rest when they are told to, beside one with a single connection: how much longer the quiet one waits.
import { createHash } from 'node:crypto'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { atPercentile } from './percentile.ts'
import { slowUpstream } from './slow-upstream.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'

const UPSTREAM_MS = 1_000
const GREEDY = 640
const QUIET_REQUESTS = Number(process.env['BENCH_QUIET'] ?? 40)
const KEYS = { greedy: 'a key that never rests', quiet: 'a key that asks now and then' }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Asked {
  readonly status: number
  readonly ms: number
  /** What a refusal asks for; 0 where it asks for nothing. */
  readonly retryAfterMs: number
}

/** Prints one table: what the quiet key waits, alone and beside the greedy one. */
export async function fairnessBench(): Promise<void> {
  const upstream = await slowUpstream(UPSTREAM_MS, 'They moved the parser and ran its tests.')
  const service = await startRecapd({
    ...UNLIMITED,
    auth: { keys: Object.entries(KEYS).map(([name, key]) => ({ name, sha256: sha256(key) })) },
    providers: mockProvider(upstream.url, { contextWindow: 128_000 }),
  })
  const agent = new http.Agent({ keepAlive: true })
  const ask = (key: string) => post(agent, { port: service.port, key })
  try {
    const alone = await quietly(ask)
    const stop = new AbortController()
    const answered: number[] = []
    const greedy = Array.from({ length: GREEDY }, () => greedily(ask, answered, stop.signal))
    const startedAt = performance.now()
    await quietly(ask)
    const beside = await quietly(ask)
    const seconds = (performance.now() - startedAt) / 1_000
    stop.abort()
    await Promise.all(greedy)
    print({ alone, beside, answered, seconds })
  } finally {
    agent.destroy()
    await service.stop()
    upstream.close()
  }
}

type Ask = (key: string) => Promise<Asked>

async function quietly(ask: Ask): Promise<readonly Asked[]> {
  const answers: Asked[] = []
  for (let i = 0; i < QUIET_REQUESTS; i += 1) answers.push(await ask(KEYS.quiet))
  return answers
}

async function greedily(ask: Ask, answered: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status, retryAfterMs } = await ask(KEYS.greedy)
    answered.push(status)
    await sleep(retryAfterMs)
  }
}

let asked = 0

/** Status 0 is a connection that broke. */
function post(agent: http.Agent, { port, key }: { readonly port: number; readonly key: string }): Promise<Asked> {
  const startedAt = performance.now()
  asked += 1
  const body = JSON.stringify({ systemPrompt: 'You summarise.', prompt: `What happened in case ${asked}?` })
  return new Promise((resolve) => {
    const end = (status: number, after = '0') =>
      resolve({ status, ms: performance.now() - startedAt, retryAfterMs: 1_000 * Number(after) })
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const request = http.request({ port, agent, headers, method: 'POST', path: '/summarize' }, (response) => {
      response.resume()
      response.on('end', () => end(response.statusCode ?? 0, response.headers['retry-after']))
    })
    request.on('error', () => end(0))
    request.end(body)
  })
}

interface Figures {
  readonly alone: readonly Asked[]
  readonly beside: readonly Asked[]
  readonly answered: readonly number[]
  readonly seconds: number
}

function print({ alone, beside, answered, seconds }: Figures): void {
  console.log(
    `\n### A quiet key beside one with ${GREEDY} connections (calls of ${UPSTREAM_MS} ms, gate as by default)\n`,
  )
  console.log('| quiet key | requests | not answered | p50 ms | p99 ms |')
  console.log('| --- | --- | --- | --- | --- |')
  const p99s = [alone, beside].map((rows, i) => {
    const times = rows.map(({ ms }) => ms)
    const failed = rows.filter(({ status }) => status !== 200).length
    const [p50, p99] = [atPercentile(times, 0.5), atPercentile(times, 0.99)]
    console.log(
      `| ${[i === 0 ? 'alone' : 'beside', rows.length, failed, p50.toFixed(0), p99.toFixed(0)].join(' | ')} |`,
    )
    return p99
  })
  const [before = 0, after = 0] = p99s
  const ok = answered.filter((status) => status === 200).length
  console.log(
    `\np99 × ${(after / before).toFixed(2)}; the greedy key had ${(ok / seconds).toFixed(0)} answers a second, ${answered.length - ok} refused`,
  )
}

if (import.meta.main) await fairnessBench()
