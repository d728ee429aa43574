// One key with 640 connections that only rest when they are told to, beside one with a single connection: how much longer the quiet one waits.
import { createHash } from 'node:crypto'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, ask } from './ask.ts'
import { atPercentile } from './percentile.ts'
import { slowUpstream } from './slow-upstream.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'

const UPSTREAM_MS = 1_000
const GREEDY = 640
const QUIET_REQUESTS = Number(process.env['BENCH_QUIET'] ?? 40)
const KEYS = { greedy: 'a key that never rests', quiet: 'a key that asks now and then' }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Prints one table: what the quiet key waits, alone and beside the greedy one. */
export async function fairnessBench(): Promise<void> {
  const upstream = await slowUpstream(UPSTREAM_MS, 'They moved the parser and ran its tests.')
  const service = await startRecapd({
    ...UNLIMITED,
    auth: { keys: Object.entries(KEYS).map(([name, key]) => ({ name, sha256: sha256(key) })) },
    providers: mockProvider(upstream.url, { contextWindow: 128_000 }),
  })
  const agent = new http.Agent({ keepAlive: true })
  let number = 0
  const askWith: AskWith = (key) => {
    number += 1
    return ask({ agent, port: service.port, number, key })
  }
  try {
    const alone = await quietly(askWith)
    const stop = new AbortController()
    const answered: number[] = []
    const greedy = Array.from({ length: GREEDY }, () => greedily(askWith, answered, stop.signal))
    const startedAt = performance.now()
    await quietly(askWith)
    const beside = await quietly(askWith)
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

type AskWith = (key: string) => Promise<Asked>

async function quietly(askWith: AskWith): Promise<readonly Asked[]> {
  const answers: Asked[] = []
  for (let i = 0; i < QUIET_REQUESTS; i += 1) answers.push(await askWith(KEYS.quiet))
  return answers
}

async function greedily(askWith: AskWith, answered: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status, retryAfterMs } = await askWith(KEYS.greedy)
    answered.push(status)
    await sleep(retryAfterMs ?? 0)
  }
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
