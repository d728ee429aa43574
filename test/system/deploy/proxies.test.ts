import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { serverOfTest } from '../../support/server-of-test.ts'
import { waitUntil } from '../../support/wait-until.ts'

const PAGE = readFileSync(new URL('../../../deploy/proxies.md', import.meta.url), 'utf8')
const settingsOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? ''

/** What a proxy of the page is tried with: its settings, with recapd at an upstream of the test and itself at a free port. */
async function stage(language: string, [listens, instead]: readonly [string, string]) {
  const [upstream, port] = [await answering(), await freePort()]
  const settings = settingsOf(language)
    .replace('127.0.0.1:8484', `127.0.0.1:${upstream.port}`)
    .replace(listens, `${instead}127.0.0.1:${port}`)
  return { upstream, port, settings }
}
const isInstalled = (program: string): boolean => spawnSync(program, ['-v']).error === undefined

for (const program of ['nginx', 'caddy', 'haproxy'])
  if (!isInstalled(program))
    console.warn(`NOT RUN: ${program} is not installed; its settings in deploy/proxies.md are not tried`)

function folderOfTest(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const EVENTS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

/** Answers with the address and the size of the body; at `/events` with one event at once and the last when it is told to. */
async function answering() {
  let finish = () => {}
  const { port } = await serverOfTest(async (request, response) => {
    let size = 0
    for await (const part of request) size += (part as Buffer).length
    if (request.url !== '/events') return void response.end(`${request.url} ${size}`)
    response.writeHead(200, EVENTS).write('event: attempt\ndata: {}\n\n')
    finish = () => void response.end('event: done\ndata: {}\n\n')
  })
  return { port, finish: () => finish() }
}

/** The proxy as a process; everything it writes. */
function startProxy(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): () => string {
  const proxy = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  onTestFinished(() => void proxy.kill())
  let said = ''
  for (const stream of [proxy.stdout, proxy.stderr]) {
    stream.on('data', (data) => {
      said += data
    })
  }
  return () => said
}

const MIB = 1_048_576

/** Passes on what it should: the address, bodies of 20 MiB, events as they come; and never logs a key. */
async function expectPassesOn({
  port,
  upstream,
  log,
}: {
  readonly port: number
  readonly upstream: Awaited<ReturnType<typeof answering>>
  readonly log: () => string
}): Promise<void> {
  const url = `http://127.0.0.1:${port}`
  const tryIt = () =>
    fetch(`${url}/k/violet-otter/livez`).then(
      (answer) => (answer.status === 200 ? answer.text() : undefined),
      () => undefined,
    )
  expect(await waitUntil(tryIt, 'the proxy answers')).toBe('/k/violet-otter/livez 0')
  const large = await fetch(`${url}/k/violet-otter/compact`, { method: 'POST', body: Buffer.alloc(20 * MIB, 32) })
  expect(await large.text()).toBe(`/k/violet-otter/compact ${20 * MIB}`)
  const events = (await fetch(`${url}/events`)).body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await events?.read())?.value, 'before the answer is whole').toContain('event: attempt')
  upstream.finish()
  expect((await events?.read())?.value).toContain('event: done')
  const lines = await waitUntil(() => (/POST.*\/compact/.test(log()) ? log() : undefined), 'it is logged')
  expect(lines).toContain('/k/-/compact')
  expect(lines).not.toContain('violet-otter')
}

describe('deploy/proxies.md', () => {
  it.skipIf(!isInstalled('nginx'))('nginx takes its settings, passes on and logs no key', async () => {
    const folder = folderOfTest()
    const { upstream, port, settings } = await stage('nginx', ['listen 8080', 'listen '])
    const file = path.join(folder, 'access.log')
    const http = settings.replace('/var/log/nginx/recapd.log', file)
    const whole = path.join(folder, 'nginx.conf')
    writeFileSync(
      whole,
      `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${http}}\n`,
    )
    startProxy('nginx', ['-c', whole])
    await expectPassesOn({ port, upstream, log: () => readFileSync(file, 'utf8') })
  })

  it.skipIf(!isInstalled('caddy'))('caddy takes its settings, passes on and logs no key', async () => {
    const folder = folderOfTest()
    const { upstream, port, settings } = await stage('caddyfile', [':8080', 'http://'])
    const file = path.join(folder, 'Caddyfile')
    writeFileSync(file, `{\n  admin off\n}\n${settings}`)
    const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
    const log = startProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', file], home)
    await expectPassesOn({ port, upstream, log })
  })

  it.skipIf(!isInstalled('haproxy'))(
    'haproxy takes its settings without a warning, passes on and logs no key',
    async () => {
      const { upstream, port, settings } = await stage('haproxy', ['bind :8080', 'bind '])
      const file = path.join(folderOfTest(), 'haproxy.cfg')
      writeFileSync(file, settings)
      const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      expect(`${stdout}${stderr}`).not.toContain('WARNING')
      const log = startProxy('haproxy', ['-db', '-f', file])
      await expectPassesOn({ port, upstream, log })
    },
  )
})
