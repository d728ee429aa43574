import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { waitUntil } from '../../support/wait-until.ts'

const PAGE = readFileSync(new URL('../../../deploy/proxies.md', import.meta.url), 'utf8')
const settingsOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? ''
const isInstalled = (program: string): boolean => spawnSync(program, ['-v']).error === undefined

for (const program of ['nginx', 'caddy', 'haproxy'])
  if (!isInstalled(program))
    console.warn(`NOT RUN: ${program} is not installed; its settings in deploy/proxies.md are not tried`)

function folderOfTest(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function answering(): Promise<number> {
  const server = createServer((request, response) => response.end(request.url))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('deploy/proxies.md', () => {
  it.skipIf(!isInstalled('nginx'))('nginx takes its settings, passes on and logs no key', async () => {
    const folder = folderOfTest()
    const [upstream, port] = [await answering(), await freePort()]
    const log = path.join(folder, 'access.log')
    const http = settingsOf('nginx')
      .replace('127.0.0.1:8484', `127.0.0.1:${upstream}`)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('/var/log/nginx/recapd.log', log)
    const file = path.join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${http}}\n`,
    )
    const nginx = spawn('nginx', ['-c', file], { stdio: 'ignore' })
    onTestFinished(() => void nginx.kill())
    const text = await waitUntil(
      () =>
        fetch(`http://127.0.0.1:${port}/k/violet-otter/livez`).then(
          (answer) => answer.text(),
          () => undefined,
        ),
      'nginx answers',
    )
    expect(text).toBe('/k/violet-otter/livez')
    const line = await waitUntil(() => readFileSync(log, 'utf8') || undefined, 'it is logged')
    expect(line).toContain('/k/-/livez')
    expect(line).not.toContain('violet-otter')
  })

  it.skipIf(!isInstalled('caddy'))('caddy takes its settings', () => {
    const file = path.join(folderOfTest(), 'Caddyfile')
    writeFileSync(file, settingsOf('caddyfile'))
    const { status, stderr } = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], {
      encoding: 'utf8',
    })
    expect(status, stderr).toBe(0)
  })

  it.skipIf(!isInstalled('haproxy'))('haproxy takes its settings, without a warning', () => {
    const file = path.join(folderOfTest(), 'haproxy.cfg')
    writeFileSync(file, settingsOf('haproxy'))
    const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    expect(`${stdout}${stderr}`).not.toContain('WARNING')
  })
})
