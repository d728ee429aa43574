// The proxy beside a bare undici pass-through: the same upstream, the same bodies, one run. Rounds visit every target in turn
// and ratios are taken inside a round, so a noisy neighbor hits all alike (docs/spec/faces.md §3).
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { agentText } from './agent-text.ts'
import { generateLoad } from './generate-load.ts'
import { median } from './median.ts'
import { installPeers } from './peers.ts'
import { processCost } from './process-cost.ts'
import { startRecapd, UNLIMITED } from './start-recapd.ts'
import { type RunningServer, startServer } from './start-server.ts'

export interface ProxyBenchOptions {
  readonly seconds: number
  readonly rounds: number
}

interface Target {
  readonly name: string
  readonly server: RunningServer
  readonly path: string
}

interface Run {
  readonly requestsPerSecond: number
  readonly cpuUs: number
  readonly errors: number
}

const SIZES = { '2 KB': 2 * 1024, '200 KB': 200 * 1024 } as const
const PROXIED = '/proxy/anthropic/v1/messages'
const CONNECTIONS = 32
/** Time for the engines to compile what runs hot: a service runs for days. */
const WARM_UP_SECONDS = 10
const PROBES = 400
const HEADERS = { 'content-type': 'application/json', 'x-api-key': 'sk-ant-bench', 'user-agent': 'claude-cli/2.1.332' }

/** An ordinary turn of an agent, streamed: neither parsed nor answered by the proxy. */
const turnOf = (bytes: number): string =>
  JSON.stringify({
    model: 'mock-model',
    max_tokens: 1024,
    stream: true,
    messages: [{ role: 'user', content: agentText(bytes) }],
  })

/** Prints one table a body size: requests, CPU and the time to the first byte of each target. */
export async function proxyBench(options: ProxyBenchOptions): Promise<void> {
  const peers = installPeers()
  const upstream = await startServer([process.execPath, here('servers/upstream.ts')], {}, 1)
  const url = `http://127.0.0.1:${upstream.port}`
  const bare = (name: string) => startServer([process.execPath, here(name)], { UPSTREAM: url }, 0)
  const recapd = await startRecapd({ ...UNLIMITED, proxy: { anthropic: { url, speaks: 'anthropic' } } })
  const direct: Target = { name: 'no proxy', server: upstream, path: '/v1/messages' }
  const targets: readonly Target[] = [
    { name: 'node:http + undici', server: await bare('servers/http-proxy.ts'), path: PROXIED },
    { name: 'Fastify + undici', server: await bare('servers/fastify-proxy.ts'), path: PROXIED },
    { name: 'recapd', server: recapd, path: PROXIED },
  ]
  for (const [size, bytes] of Object.entries(SIZES)) {
    const body = turnOf(bytes)
    const runs = new Map(targets.map(({ name }) => [name, [] as Run[]]))
    for (let round = 0; round <= options.rounds; round += 1) {
      for (const target of targets) {
        const run = await load(peers, { target, body, seconds: round === 0 ? WARM_UP_SECONDS : options.seconds })
        if (round > 0) runs.get(target.name)?.push(run)
      }
    }
    print({ size, options, runs, firstByte: await firstByteMs([direct, ...targets], body) })
  }
  for (const { server } of [...targets, direct]) await server.stop()
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

async function load(
  peers: string,
  { target, body, seconds }: { readonly target: Target; readonly body: string; readonly seconds: number },
): Promise<Run> {
  const { server, path } = target
  const url = `http://127.0.0.1:${server.port}${path}`
  const before = processCost(server.pid)
  const result = await generateLoad(peers, {
    url,
    connections: CONNECTIONS,
    duration: seconds,
    method: 'POST',
    headers: HEADERS,
    body,
  })
  const { cpuUs } = processCost(server.pid)
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    cpuUs: (cpuUs - before.cpuUs) / Math.max(1, result['2xx']),
    errors: result.errors + result.non2xx + result.timeouts,
  }
}

/** Median time from a request to the first byte of its answer's body, one request at a time, the targets in turn. */
async function firstByteMs(targets: readonly Target[], body: string): Promise<ReadonlyMap<string, number>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const times = new Map(targets.map(({ name }) => [name, [] as number[]]))
  for (let probe = 0; probe < PROBES; probe += 1) {
    for (const target of targets) times.get(target.name)?.push(await firstByte(target, agent, body))
  }
  agent.destroy()
  return new Map([...times].map(([name, values]) => [name, median(values)]))
}

function firstByte({ server, path }: Target, agent: http.Agent, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const options = { host: '127.0.0.1', port: server.port, path, method: 'POST', agent, headers: HEADERS }
    const request = http.request(options, (response) => {
      let ms = Number.NaN
      response.once('data', () => {
        ms = performance.now() - began
      })
      response.once('end', () => resolve(ms))
    })
    request.once('error', reject)
    request.end(body)
  })
}

interface Measured {
  readonly size: string
  readonly options: ProxyBenchOptions
  readonly runs: ReadonlyMap<string, readonly Run[]>
  readonly firstByte: ReadonlyMap<string, number>
}

function print({ size, options, runs, firstByte }: Measured): void {
  const { rounds, seconds } = options
  const bases = [...runs.keys()].slice(0, 2)
  const of = (name: string) => runs.get(name) ?? []
  const ratio = (name: string, base: string) =>
    median(of(name).map((run, round) => run.cpuUs / (of(base)[round]?.cpuUs ?? Number.NaN)))
  const first = (name: string) => firstByte.get(name) ?? Number.NaN
  const direct = [...firstByte.values()][0] ?? Number.NaN
  console.log(
    `\n### Proxy, ${size} a request, ${CONNECTIONS} connections (median of ${rounds} x ${seconds} s, Node ${process.version}); first byte without a proxy: ${direct.toFixed(2)} ms\n`,
  )
  console.log(
    `| target | req/s | CPU us/req | ${bases.map((base) => `CPU / ${base}`).join(' | ')} | first byte ms | errors |`,
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const name of runs.keys()) {
    const mine = of(name)
    const cells = [
      name,
      median(mine.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      median(mine.map(({ cpuUs }) => cpuUs)).toFixed(0),
      ...bases.map((base) => `${ratio(name, base).toFixed(2)}x`),
      `${first(name).toFixed(2)} (+${(first(name) - first(bases[0] ?? '')).toFixed(2)})`,
      String(mine.reduce((sum, { errors }) => sum + errors, 0)),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
