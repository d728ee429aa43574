// One key with 640 connections that only rest when they are told to, beside one with a single connection: how much longer the quiet one waits.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked } from './ask.ts'
import { atPercentile } from './percentile.ts'
import { type SlowService, withSlowService } from './with-slow-service.ts'

const UPSTREAM_MS = 1_000
const GREEDY = 640
const QUIET_REQUESTS = Number(process.env['BENCH_QUIET'] ?? 40)
const KEYS = { greedy: 'a key that never rests', quiet: 'a key that asks now and then' }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Prints one table: what the quiet key waits, alone and beside the greedy one. */
export async function fairnessBench(): Promise<void> {
  const keys = Object.entries(KEYS).map(([name, key]) => ({ name, sha256: sha256(key) }))
  await withSlowService({ upstreamMs: UPSTREAM_MS, config: { auth: { keys } } }, async ({ ask }) => {
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
  })
}

async function quietly(ask: SlowService['ask']): Promise<readonly Asked[]> {
  const answers: Asked[] = []
  for (let i = 0; i < QUIET_REQUESTS; i += 1) answers.push(await ask(KEYS.quiet))
  return answers
}

async function greedily(ask: SlowService['ask'], answered: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { status, retryAfterMs } = await ask(KEYS.greedy)
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
