import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics, type Metrics } from '../../../src/http/metrics.ts'
import { freePort } from '../../support/free-port.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { readText, tool } from './repository-files.ts'

const prometheus = tool('prometheus')
/** Minutes of the rules become seconds, so that half an hour of outage is half a minute. */
const hurried = (rules: string) => rules.replace(/(\d+)m\b/g, '$1s')
const ALERTS_MS = 60_000

interface Alert {
  readonly state: string
  readonly labels: { readonly alertname: string }
}

/** Our metrics, scraped each second by a real Prometheus with our rules. */
async function stage() {
  const metrics = createMetrics()
  const exporter = createServer((_request, response) => {
    void metrics.registry.metrics().then((text) => response.end(text))
  })
  await new Promise<void>((resolve) => exporter.listen(0, '127.0.0.1', resolve))
  const target = `127.0.0.1:${(exporter.address() as AddressInfo).port}`
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-prometheus-'))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'recapd', static_configs: [{ targets: [target] }] }],
  }
  writeFileSync(path.join(folder, 'prometheus.yml'), JSON.stringify(config))
  writeFileSync(path.join(folder, 'rules.yml'), hurried(readText('deploy/prometheus/recapd.rules.yml')))
  const port = await freePort()
  const flags = [`--web.listen-address=127.0.0.1:${port}`, '--config.file=prometheus.yml', '--storage.tsdb.path=data']
  const child: ChildProcess = spawn('prometheus', flags, { cwd: folder, stdio: 'ignore' })
  const firing = async (): Promise<string[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => undefined)
    if (answer?.ok !== true) return []
    const { data } = (await answer.json()) as { data: { alerts: readonly Alert[] } }
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
  }
  const scraped = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=up`).catch(() => undefined)
    return answer?.ok === true && (await answer.text()).includes('"1"')
  }
  return {
    metrics,
    firing,
    scraped,
    async close() {
      const over = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await over
      exporter.closeAllConnections()
      exporter.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answered = (metrics: Metrics, status: number) =>
  metrics.request({ route: '/summarize', method: 'POST', status, seconds: 1, bodyBytes: undefined })

describe.skipIf(prometheus.missing)(`alerts in a real Prometheus${prometheus.note}`, () => {
  let world: Awaited<ReturnType<typeof stage>>
  let breaker: 'open' | 'half-open' = 'open'
  beforeAll(async () => {
    world = await stage()
    world.metrics.watchProcess({
      version: 'test',
      breakers: () => [{ id: 'alpha/small', breaker }],
      restingKeys: () => [],
      eventLoopLag: () => ({ p50: 0, p99: 0, max: 0 }),
    })
    answered(world.metrics, 200)
    await waitUntil(world.scraped, 'the first scrape', ALERTS_MS)
  }, ALERTS_MS)
  afterAll(() => world?.close())

  it(
    'an open breaker fires, and is silent once the provider is well again, with nobody asking',
    async () => {
      await waitUntil(async () => (await world.firing()).includes('RecapdBreakerOpen'), 'it fires', ALERTS_MS)
      breaker = 'half-open'
      await waitUntil(async () => (await world.firing()).length === 0, 'all is silent', ALERTS_MS)
    },
    2 * ALERTS_MS,
  )

  it.each([
    ['RecapdErrorRatioHigh', 502, 'an outage that only streaming callers see, whose streams end in an error'],
    ['RecapdClientsLeave', 499, 'an outage that only impatient callers see'],
  ])(
    '%s fires for status %i: %s',
    async (alert, status) => {
      const traffic = setInterval(() => answered(world.metrics, status), 100)
      try {
        await waitUntil(async () => (await world.firing()).includes(alert), 'it fires', ALERTS_MS)
      } finally {
        clearInterval(traffic)
      }
      expect(await world.firing()).toContain(alert)
    },
    2 * ALERTS_MS,
  )
})
