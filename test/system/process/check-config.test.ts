import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { checkConfig } from '../../../src/process/check-config.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, ['src/main.ts', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  })

it('checkConfig names the chain in order, and no key', async () => {
  const config = await loadConfig({
    OPENAI_API_KEY: 'sk-very-secret',
    RECAPD_MODELS: 'openai/gpt-5-mini,recapd/extractive',
    RECAPD_API_KEYS: 'ci:rk-very-secret',
  })
  const text = await checkConfig(config)
  expect(text).toMatch(/1\. openai\/gpt-5-mini {2}\(400000 tokens, 1 key\)\n {2}2\. recapd\/extractive {2}\(embedded/)
  expect(text).toContain('keys         ci')
  expect(text).not.toContain('very-secret')
})

describe('recapd on the command line', () => {
  it('check-config prints the chain and exits 0', () => {
    const { status, stdout } = run(['check-config'])
    expect(stdout).toContain('The configuration is valid.')
    expect(status).toBe(0)
  })

  it('a port that is taken exits 1 and says which setting picks another', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { status, stdout, stderr } = run([], { PORT: String(port) })
    expect(`${stdout}${stderr}`).toContain(
      `cannot listen on 127.0.0.1:${port}: EADDRINUSE; another program listens there.`,
    )
    expect(status).toBe(1)
  })

  it('a bad configuration exits 78 with every fault, before anything starts', () => {
    const { status, stderr, stdout } = run([], { RECAPD_RETRY_MAX_ATTEMPTS: 'many', RECAPD_SERVER_PORT: '-1' })
    expect(stderr).toContain('retry.maxAttempts')
    expect(stderr).toContain('server.port')
    expect(stdout).toBe('')
    expect(status).toBe(78)
  })

  it('a word it does not know exits 64 and shows the usage', () => {
    const { status, stderr } = run(['serv'])
    expect(stderr).toContain('usage: recapd')
    expect(status).toBe(64)
  })
})
