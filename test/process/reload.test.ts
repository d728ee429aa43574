import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { type Config, loadConfig } from '../../src/config/load-config.ts'
import { reloadOnChange } from '../../src/process/reload.ts'
import { waitUntil } from '../support/wait-until.ts'

async function stage(next: () => Promise<Config>, first: Record<string, string> = {}) {
  const config = await loadConfig(first)
  const lines: { level: string; text: string }[] = []
  const line = (level: string) => (_facts: unknown, text?: string) => void lines.push({ level, text: text ?? '' })
  const log = { info: line('info'), warn: line('warn'), error: line('error') }
  const apply = vi.fn()
  const before = process.listeners('SIGHUP')
  const stop = reloadOnChange({ config, log: log as never, load: next, apply })
  onTestFinished(() => {
    stop()
    expect(process.listeners('SIGHUP')).toEqual(before)
  })
  return { lines, apply, hangUp: () => process.emit('SIGHUP') }
}

function folderOfTest(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function configured(value: object): Record<string, string> {
  const file = path.join(folderOfTest(), 'recapd.json')
  writeFileSync(file, JSON.stringify(value))
  return { RECAPD_CONFIG: file }
}

describe('reloadOnChange', () => {
  it('puts a good configuration in force and names what needs a restart', async () => {
    const { lines, apply, hangUp } = await stage(() => loadConfig({ PORT: '9999', RECAPD_API_KEYS: 'ci:k-1' }))
    hangUp()
    await waitUntil(() => lines.length >= 2, 'it was told')
    expect(apply).toHaveBeenCalledTimes(1)
    expect(lines.find(({ level }) => level === 'warn')?.text).toContain('server')
  })

  it.each([
    ['proxy', { proxy: { anthropic: { url: 'https://api.anthropic.com', speaks: 'anthropic' } } }],
    ['rateLimit', { rateLimit: { max: 1 } }],
    ['compaction', { compaction: { autoContinue: false } }],
    ['memory', { memory: { limitMiB: 2_048 } }],
    ['jobs', { jobs: {} }],
    ['timeouts.requestMs', { timeouts: { requestMs: 100_000 } }],
    ['timeouts.orphanAfterMs', { timeouts: { orphanAfterMs: 1 } }],
    ['cache.maxBytes', { cache: { maxBytes: 1 } }],
  ])('says of a changed %s that it waits for a restart', async (name, file) => {
    const { lines, hangUp } = await stage(() => loadConfig(configured(file)))
    hangUp()
    await waitUntil(() => lines.length >= 2, 'it was told')
    expect(lines[1]).toEqual({ level: 'warn', text: `changed, but in force only after a restart: ${name}` })
  })

  it.each([
    { auth: { keys: [{ name: 'ci', sha256: '0'.repeat(64) }] } },
    { candidates: ['recapd/extractive'] },
    { timeouts: { attemptMs: 1_000 }, retry: { maxAttempts: 1 }, cache: { ttlMs: 0 }, log: { level: 'warn' } },
  ])('says so of nothing that it puts in force: %j', async (file) => {
    const { lines, hangUp } = await stage(() => loadConfig(configured(file)))
    hangUp()
    await waitUntil(() => lines.length > 0, 'it was told')
    hangUp()
    await waitUntil(() => lines.length > 1, 'and again')
    expect(lines.map(({ level }) => level)).toEqual(['info', 'info'])
  })

  it('compares with what the process was started with: said again while it waits, and not of a change taken back', async () => {
    const texts = [{ PORT: '9999' }, { PORT: '9999' }, {}]
    const { lines, hangUp } = await stage(() => loadConfig(texts.shift() ?? {}))
    for (const told of [2, 4, 5]) {
      hangUp()
      await waitUntil(() => lines.length >= told, 'it was told')
    }
    expect(lines.map(({ level }) => level)).toEqual(['info', 'warn', 'info', 'warn', 'info'])
  })

  it('looks at a file with keys that only the new configuration names', async () => {
    const folder = folderOfTest()
    const keys = path.join(folder, 'keys')
    writeFileSync(keys, 'ci:k-1')
    const { lines, hangUp } = await stage(() => loadConfig({ RECAPD_API_KEYS_FILE: keys }))
    hangUp()
    await waitUntil(() => lines.length > 0, 'it was told')
    // Whenever the first look at it was: it goes on changing.
    const change = () => writeFileSync(keys, `ci:k-${Date.now()}`)
    await waitUntil(() => lines.length > 1 || change(), 'it was read again')
    expect(lines[1]).toEqual({ level: 'info', text: 'the configuration was reloaded' })
  })

  it.each([
    [
      'a faulty one',
      async () => Promise.reject(new ConfigError([{ path: 'retry.maxAttempts', message: 'is odd' }])),
      /retry\.maxAttempts/,
    ],
    ['one whose keys have vanished', async () => loadConfig({}), /auth\.keys/],
  ])('refuses %s aloud', async (_what, next, said) => {
    const { lines, apply, hangUp } = await stage(next, { RECAPD_API_KEYS: 'ci:k-1' })
    hangUp()
    await waitUntil(() => lines.length > 0, 'it was told')
    expect(lines[0]).toMatchObject({ level: 'error', text: expect.stringMatching(said) })
    expect(apply).not.toHaveBeenCalled()
  })
})
