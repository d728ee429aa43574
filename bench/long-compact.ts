// What a very long session takes while it is compacted: memory, and how soon others are answered meanwhile.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './median.ts'
import { atPercentile } from './percentile.ts'
import { sessionEntries } from './pipeline-session.ts'
import { slowUpstream } from './slow-upstream.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'

const ENTRIES = 50_000
const ROUNDS = 3
const MODEL_MS = 200
const PROBE_MS = 5
const MIB = 1_048_576
/** What a model might answer to any part of it, the beginning of the turn that is split included. */
const SUMMARY = [
  '## Goal\n- fix the modules of the queue worker',
  '## Constraints & Preferences\n- none',
  '## Progress\n### Done\n- all of it was done well and the tests pass',
  '## Key Decisions\n- none',
  '## Next Steps\n- go on with the next module',
  '## Critical Context\n- src/module-1/file-1.ts was changed',
  '## Original Request\n- fix the modules',
  '## Early Progress\n- their tests pass',
  '## Context for Suffix\n- none',
].join('\n\n')

/** Prints one table: the peak of the process beside its body, and `/livez` meanwhile; a service of its own each round. */
export async function longCompactBench(): Promise<void> {
  const settings = { keepRecentTokens: 20_000 }
  const body = Buffer.from(JSON.stringify({ entries: sessionEntries(ENTRIES), contextWindow: 200_000, settings }))
  const rounds: Peak[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await compactOnce(body))
  const column = (key: keyof Peak) => median(rounds.map((one) => one[key]))
  const bodyMiB = body.length / MIB
  console.log(`\n### /compact of ${(body.length / 1e6).toFixed(0)} MB (median of ${ROUNDS}, Node ${process.version})\n`)
  console.log(
    '| idle MiB | peak MiB | × body | ms | /livez p99 ms | longest ms |\n| --- | --- | --- | --- | --- | --- |',
  )
  const cells = [
    column('idleMiB').toFixed(0),
    column('peakMiB').toFixed(0),
    (column('peakMiB') / bodyMiB).toFixed(1),
    column('ms').toFixed(0),
    column('livezP99').toFixed(0),
    column('livezMost').toFixed(0),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

interface Peak {
  readonly idleMiB: number
  readonly peakMiB: number
  readonly ms: number
  readonly livezP99: number
  readonly livezMost: number
}

async function compactOnce(body: Buffer): Promise<Peak> {
  const upstream = await slowUpstream(MODEL_MS, SUMMARY)
  const providers = mockProvider(upstream.url, { contextWindow: 200_000, maxOutputTokens: 16_384 })
  const service = await startRecapd({ ...UNLIMITED, providers }, { cpu: 'any' })
  const agent = new http.Agent({ keepAlive: true })
  const ask = (path: string, more: http.RequestOptions, bytes?: Buffer) =>
    send({ host: '127.0.0.1', port: service.port, agent, path, ...more }, bytes)
  try {
    await sleep(MODEL_MS)
    const idleMiB = memoryOf(service.pid, 'VmRSS')
    const latencies: number[] = []
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const startedAt = performance.now()
    let isOver = false
    const answer = ask('/compact', { method: 'POST', headers }, body).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const askedAt = performance.now()
      await ask('/livez', {})
      latencies.push(performance.now() - askedAt)
      await sleep(PROBE_MS)
    }
    const { status, text } = await answer
    if (status !== 200) throw new Error(`the service answered ${status}: ${text.slice(0, 300)}`)
    const ms = performance.now() - startedAt
    const livez = { livezP99: atPercentile(latencies, 0.99), livezMost: Math.max(...latencies) }
    return { idleMiB, peakMiB: memoryOf(service.pid, 'VmHWM'), ms, ...livez }
  } finally {
    agent.destroy()
    await service.stop()
    upstream.close()
  }
}

/** `VmRSS`: now; `VmHWM`: at its highest. In MiB; Linux only. */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024
}

function send(
  options: http.RequestOptions,
  body?: Buffer,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

if (import.meta.main) await longCompactBench()
