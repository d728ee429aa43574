// Our /summarize beside a bare pass-through and Portkey's gateway: the same upstream, the same bodies, one run. Rounds visit
// every target in turn and ratios are taken inside a round, so a noisy neighbour hits all alike.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { summarizeExtractively } from '../src/domain/extractive/summarize-extractively.ts'
import { agentText } from './agent-text.ts'
import { generateLoad } from './generate-load.ts'
import { median } from './median.ts'
import { ompPrompt } from './omp-prompt.ts'
import { installPeers } from './peers.ts'
import { processCost } from './process-cost.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'
import { type RunningServer, startServer } from './start-server.ts'

export interface GatewayOptions {
  readonly seconds: number
  readonly rounds: number
  /** So many of the loads. */
  readonly loads: number
  /** The title of one case; all where absent. */
  readonly only?: string | undefined
}

/** How the servers are asked: at once always busy, then hardly, then busy with waiting. */
const LOADS = [
  { delayMs: 0, connections: 32 },
  { delayMs: 50, connections: 32 },
  { delayMs: 50, connections: 256 },
]

interface Target {
  readonly name: string
  readonly path: string
  readonly shape: 'summarize' | 'chat'
  readonly headers: Record<string, string>
  start(upstream: string): Promise<RunningServer>
}

interface Run {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
  readonly rssMiB: number
  readonly errors: number
}

const SYSTEM = 'You are a careful assistant that writes short, factual summaries of engineering conversations.'
const KB = 1024
/** What is asked and how the provider answers. `omp`: a conversation, headings, the audit on. */
const CASES = [
  { title: '2 KB', answer: 'sentences', prompt: () => agentText(2 * KB) },
  { title: '200 KB', answer: 'sentences', prompt: () => agentText(200 * KB) },
  { title: '200 KB as omp sends it', answer: 'headings', prompt: () => ompPrompt(200 * KB) },
] as const
type Case = (typeof CASES)[number]
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

function targets(peers: string): Target[] {
  return [
    {
      name: 'bare Fastify + undici',
      path: '/summarize',
      shape: 'summarize',
      headers: {},
      start: (upstream) => startServer([process.execPath, here('servers/bare.ts')], { UPSTREAM: upstream }, 0),
    },
    {
      name: 'recapd',
      path: '/summarize',
      shape: 'summarize',
      headers: {},
      start: (upstream) => startRecapd(configFor(upstream)),
    },
    {
      name: 'recapd, audit off',
      path: '/summarize',
      shape: 'summarize',
      headers: {},
      start: (upstream) => startRecapd({ ...configFor(upstream), audit: { summarize: false } }),
    },
    {
      name: 'Portkey (retry + fallback)',
      path: '/v1/chat/completions',
      shape: 'chat',
      headers: {},
      start(upstream) {
        const good = { provider: 'openai', api_key: 'test', custom_host: `${upstream}/v1` }
        this.headers['x-portkey-config'] = JSON.stringify({
          strategy: { mode: 'fallback' },
          retry: { attempts: 3, on_status_codes: [429, 500, 502, 503, 504] },
          request_timeout: 30_000,
          targets: [good, good],
        })
        const program = path.join(peers, 'node_modules/@portkey-ai/gateway/build/start-server.js')
        return startServer(
          [process.execPath, '--require', here('servers/loopback.cjs'), program, '--headless', '--port=$PORT'],
          { NODE_ENV: 'production' },
          0,
        )
      },
    },
  ]
}

/** Every feature of the service on; every prompt is another one, and what is measured is a call. */
const configFor = (upstream: string) => ({
  ...UNLIMITED,
  providers: mockProvider(
    `${upstream}/v1`,
    { contextWindow: 1_000_000, maxOutputTokens: 16_384, price: { input: 1, output: 2 } },
    { maxConcurrency: 256 },
  ),
})

/** An answer that passes for a summary of what omp sends: its headings filled with what is true. */
function answerFile(): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'recapd-bench-')), 'answer.md')
  const answer = summarizeExtractively({ prompt: ompPrompt(200 * KB) })
  writeFileSync(file, answer.slice(answer.indexOf('## ')))
  return file
}

/** Time for the engines to compile what runs hot, before anything is measured: a service runs for days. Another load of the same case needs less. */
const WARM_UP_SECONDS = { first: 25, next: 3 }

/** Prints one table a body size and upstream delay; returns nothing. The processes stay the same for all of them. */
export async function gatewayBench(options: GatewayOptions): Promise<void> {
  const peers = installPeers()
  const upstream = await startServer([process.execPath, here('servers/upstream.ts')], { ANSWER_FILE: answerFile() }, 1)
  const running = []
  for (const target of targets(peers))
    running.push({ target, server: await target.start(`http://127.0.0.1:${upstream.port}`) })
  const tell = (what: string) => fetch(`http://127.0.0.1:${upstream.port}/${what}`, { method: 'POST' })
  for (const each of CASES.filter(({ title }) => options.only === undefined || title === options.only)) {
    await tell(`answer/${each.answer}`)
    const prompt = each.prompt()
    for (const [at, { delayMs, connections }] of LOADS.slice(
      0,
      each.answer === 'headings' ? 1 : options.loads,
    ).entries()) {
      await tell(`delay/${delayMs}`)
      const runs = new Map(running.map(({ target }) => [target.name, [] as Run[]]))
      for (let round = 0; round <= options.rounds; round += 1) {
        const warmUp = at === 0 ? WARM_UP_SECONDS.first : WARM_UP_SECONDS.next
        const seconds = round === 0 ? warmUp : options.seconds
        for (const { target, server } of running) {
          const run = await load(peers, target, server, prompt, { connections, seconds })
          if (round > 0) runs.get(target.name)?.push(run)
        }
      }
      print(each, { ...options, delayMs, connections }, runs)
    }
  }
  for (const { server } of running) await server.stop()
  await upstream.stop()
}

async function load(
  peers: string,
  target: Target,
  server: RunningServer,
  text: string,
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<Run> {
  // autocannon puts another id in every body: equal prompts in flight would share one upstream call.
  const prompt = `Case [<id>]. ${text}`
  const chat = {
    model: 'mock-model',
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: prompt },
    ],
  }
  const job = {
    url: `http://127.0.0.1:${server.port}${target.path}`,
    connections,
    duration: seconds,
    method: 'POST',
    idReplacement: true,
    headers: { 'content-type': 'application/json', ...target.headers },
    body: JSON.stringify(target.shape === 'summarize' ? { systemPrompt: SYSTEM, prompt } : chat),
  }
  const before = processCost(server.pid)
  const result = await generateLoad(peers, job)
  const after = processCost(server.pid)
  const done = result['2xx']
  return {
    requestsPerSecond: done / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuUs: (after.cpuUs - before.cpuUs) / Math.max(1, done),
    rssMiB: after.rssMiB,
    errors: result.errors + result.non2xx + result.timeouts,
  }
}

function print(
  { title }: Case,
  { rounds, seconds, delayMs, connections }: GatewayOptions & (typeof LOADS)[number],
  runs: ReadonlyMap<string, readonly Run[]>,
): void {
  const names = [...runs.keys()]
  const of = (name: string) => runs.get(name) ?? []
  const ratio = (name: string, base: string | undefined) =>
    median(of(name).map((run, round) => run.cpuUs / (of(base ?? '')[round]?.cpuUs ?? Number.NaN)))
  console.log(
    `\n### ${title} prompt, upstream ${delayMs} ms, ${connections} connections (median of ${rounds} x ${seconds} s, Node ${process.version})\n`,
  )
  console.log('| target | req/s | p50 ms | p99 ms | CPU us/req | RSS MiB | CPU / bare | CPU / Portkey | errors |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const name of names) {
    const column = (key: keyof Run) => median(of(name).map((run) => run[key]))
    const errors = of(name).reduce((sum, run) => sum + run.errors, 0)
    const cells = [
      name,
      column('requestsPerSecond').toFixed(0),
      column('p50').toFixed(1),
      column('p99').toFixed(1),
      column('cpuUs').toFixed(0),
      column('rssMiB').toFixed(0),
      `${ratio(name, names[0]).toFixed(2)}x`,
      `${ratio(name, names.at(-1)).toFixed(2)}x`,
      String(errors),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
