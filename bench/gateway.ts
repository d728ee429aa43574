// Our /summarize beside a bare pass-through and Portkey's gateway: the same upstream, the same bodies, one run. Rounds visit
// every target in turn and ratios are taken inside a round, so a noisy neighbour hits all alike.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Asked, CASES, type Case, configFor, type Load, loadOnce, startUpstream } from './gateway-load.ts'
import { median } from './median.ts'
import { installPeers } from './peers.ts'
import { processCost } from './process-cost.ts'
import { startRecapd } from './start-recapd.ts'
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

interface Target extends Omit<Asked, 'port' | 'headers'> {
  readonly name: string
  readonly headers: Record<string, string>
  start(upstream: string): Promise<RunningServer>
}

interface Running {
  readonly target: Target
  readonly server: RunningServer
}

interface Run {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
  readonly rssMiB: number
  readonly errors: number
}

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

/**
 * Time for the engines to compile what runs hot, before anything is measured: a service runs for days. A process that rests while the others
 * have their turn lets go of some of it: each has some seconds again before it is measured.
 */
const WARM_UP_SECONDS = { first: 25, again: 4 }

/** Prints one table a body size and upstream delay; returns nothing. The processes stay the same for all of them. */
export async function gatewayBench(options: GatewayOptions): Promise<void> {
  const peers = installPeers()
  const upstream = await startUpstream()
  const running: Running[] = []
  for (const target of targets(peers)) running.push({ target, server: await target.start(upstream.url) })
  for (const each of CASES.filter(({ title }) => options.only === undefined || title === options.only)) {
    await upstream.tell(`answer/${each.answer}`)
    const prompt = each.prompt()
    for (const [at, { delayMs, connections }] of LOADS.slice(
      0,
      each.answer === 'headings' ? 1 : options.loads,
    ).entries()) {
      await upstream.tell(`delay/${delayMs}`)
      const runs = new Map(running.map(({ target }) => [target.name, [] as Run[]]))
      const run = (one: Running, seconds: number) => load(peers, one, { prompt, connections, seconds })
      if (at === 0) for (const one of running) await run(one, WARM_UP_SECONDS.first)
      for (let round = 0; round < options.rounds; round += 1) {
        for (const one of running) {
          await run(one, WARM_UP_SECONDS.again)
          runs.get(one.target.name)?.push(await run(one, options.seconds))
        }
      }
      print(each, { ...options, delayMs, connections }, runs)
    }
  }
  for (const { server } of running) await server.stop()
  await upstream.stop()
}

async function load(peers: string, { target, server }: Running, asking: Load): Promise<Run> {
  const before = processCost(server.pid)
  const result = await loadOnce(peers, { ...target, port: server.port }, asking)
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
