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
  const own = process.listeners('SIGHUP').filter((listener) => !before.includes(listener))
  onTestFinished(() => {
    stop()
    for (const listener of own) process.off('SIGHUP', listener)
  })
  return { lines, apply, hangUp: () => process.emit('SIGHUP') }
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
