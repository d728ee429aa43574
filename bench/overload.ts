// Ten times the work a gate has room for: what is accepted, how long it takes, how fast the rest is told to come back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked } from './ask.ts'
import { atPercentile } from './percentile.ts'
import { processCost } from './process-cost.ts'
import { withSlowService } from './with-slow-service.ts'

const UPSTREAM_MS = 100
const SLOTS = 8
const QUEUE = { maxSize: 32, maxWaitMs: 2_000 }
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const TICK_MS = 20

/** Prints one table: offered and accepted work a second, latencies of accepted and refused requests, memory. */
export async function overloadBench(): Promise<void> {
  const provider = { maxConcurrency: SLOTS, queue: QUEUE }
  const config = { retry: { maxAttempts: 1 } }
  await withSlowService({ upstreamMs: UPSTREAM_MS, provider, config }, async ({ pid, calls, ask }) => {
    const capacity = SLOTS * (1_000 / UPSTREAM_MS)
    const before = processCost(pid)
    const answers = await flood(10 * capacity, () => ask())
    const after = processCost(pid)
    print(answers, { capacity, rssBefore: before.rssMiB, rssAfter: after.rssMiB, calls: calls() })
  })
}

/** So many requests a second, whether answers come or not. */
async function flood(perSecond: number, send: () => Promise<Asked>): Promise<Asked[]> {
  const sent: Promise<Asked>[] = []
  const startedAt = performance.now()
  for (let elapsed = 0; elapsed < SECONDS * 1_000; elapsed = performance.now() - startedAt) {
    while (sent.length < (elapsed / 1_000) * perSecond) sent.push(send())
    await sleep(TICK_MS)
  }
  return Promise.all(sent)
}

interface Figures {
  readonly capacity: number
  readonly rssBefore: number
  readonly rssAfter: number
  readonly calls: number
}

function print(answers: readonly Asked[], { capacity, rssBefore, rssAfter, calls }: Figures): void {
  const accepted = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status, retryAfterMs }) => status === 503 && retryAfterMs !== undefined)
  const bound = QUEUE.maxWaitMs + UPSTREAM_MS
  console.log(
    `\n### Ten times the capacity for ${SECONDS} s (${SLOTS} slots of ${UPSTREAM_MS} ms, queue of ${QUEUE.maxSize})\n`,
  )
  console.log('| | requests | a second | p50 ms | p99 ms | max ms |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const [name, rows] of [
    ['accepted', accepted],
    ['503 with a hint', refused],
  ] as const) {
    const times = rows.map(({ ms }) => ms)
    const at = (share: number) => atPercentile(times, share).toFixed(0)
    console.log(`| ${[name, rows.length, (rows.length / SECONDS).toFixed(0), at(0.5), at(0.99), at(1)].join(' | ')} |`)
  }
  const other = answers.length - accepted.length - refused.length
  const figures = [
    `${answers.length} sent, ${other} ended otherwise`,
    `${((100 * accepted.length) / SECONDS / capacity).toFixed(0)} % of capacity used`,
    `bound of the gate ${bound} ms`,
    `${calls} upstream calls`,
    `RSS ${rssBefore.toFixed(0)} → ${rssAfter.toFixed(0)} MiB`,
  ]
  console.log(`\n${figures.join('; ')}`)
}

if (import.meta.main) await overloadBench()
