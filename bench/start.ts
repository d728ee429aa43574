// What it takes until the service is ready, what it then holds, and how much slower its first request is than a warm one.
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './median.ts'
import { processCost } from './process-cost.ts'
import { slowUpstream } from './slow-upstream.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'

const ROUNDS = 5
/** Long enough for what starting left behind to be given back. */
const SETTLE_MS = 2_500
const WARM_REQUESTS = 50

interface Round {
  readonly nodeMs: number
  readonly readyMs: number
  readonly rssMiB: number
  readonly firstMs: number
  readonly warmMs: number
}

/** Prints one table of medians; each round starts a process of its own, on one core. */
export async function startBench(): Promise<void> {
  const upstream = await slowUpstream(0, 'Fine.')
  const rounds: Round[] = []
  try {
    // The first round fills the compile cache, as the first start of an installation does.
    for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await oneRound(upstream.url))
  } finally {
    upstream.close()
  }
  const middle = (of: (round: Round) => number) => median(rounds.slice(1).map(of))
  console.log(`\n### Start: median of ${ROUNDS}, Node ${process.version}, one core\n`)
  console.log('| | |\n| --- | --- |')
  console.log(`| \`node -e 0\` | ${middle(({ nodeMs }) => nodeMs).toFixed(0)} ms |`)
  console.log(`| \`/readyz\` says yes after | ${middle(({ readyMs }) => readyMs).toFixed(0)} ms |`)
  console.log(`| of \`node -e 0\` | ${middle(({ readyMs, nodeMs }) => readyMs / nodeMs).toFixed(1)} |`)
  console.log(`| resident, idle | ${middle(({ rssMiB }) => rssMiB).toFixed(0)} MiB |`)
  console.log(`| first request of a warm one | ${middle(({ firstMs, warmMs }) => firstMs / warmMs).toFixed(1)} |`)
}

async function oneRound(upstream: string): Promise<Round> {
  const nodeMs = elapsed(() => spawnSync(process.execPath, ['-e', '0']))
  const startedAt = performance.now()
  const service = await startRecapd({
    ...UNLIMITED,
    providers: mockProvider(upstream, { contextWindow: 128_000, maxOutputTokens: 4_000 }),
  })
  const url = `http://127.0.0.1:${service.port}`
  try {
    while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(5)
    const readyMs = performance.now() - startedAt
    await sleep(SETTLE_MS)
    const { rssMiB } = processCost(service.pid)
    const firstMs = await ask(url, 0)
    const warm: number[] = []
    for (let n = 1; n <= WARM_REQUESTS; n += 1) warm.push(await ask(url, n))
    return { nodeMs, readyMs, rssMiB, firstMs, warmMs: median(warm) }
  } finally {
    await service.stop()
  }
}

async function ask(url: string, n: number): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/summarize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ systemPrompt: 'S.', prompt: `${n} ${'words '.repeat(340)}` }),
  })
  if (response.status !== 200) throw new Error(`the service answered ${response.status}`)
  await response.text()
  return performance.now() - startedAt
}

function elapsed(run: () => unknown): number {
  const startedAt = performance.now()
  run()
  return performance.now() - startedAt
}
