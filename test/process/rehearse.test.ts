import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { rehearse } from '../../src/process/rehearse.ts'
import { fakeProvider } from '../support/fake-provider.ts'

it('rehearse has requests answered whatever the configuration limits, and asks none of its providers', async () => {
  const provider = await fakeProvider([{ text: 'Asked.' }])
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-rehearse-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true })
    await provider.close()
  })
  const file = path.join(folder, 'recapd.json')
  const settings = {
    providers: { alpha: { baseUrl: provider.url, apiKeys: ['k'], models: { small: { contextWindow: 1_000 } } } },
    rateLimit: { max: 1, windowMs: 60_000 },
    timeouts: { requestMs: 1 },
    auth: { keys: [{ name: 'ci', sha256: 'a'.repeat(64) }] },
    redis: { url: 'redis://127.0.0.1:1' },
    hooks: 'missing.mjs',
  }
  writeFileSync(file, JSON.stringify(settings))
  await rehearse(await loadConfig({ RECAPD_CONFIG: file }), 3)
  expect(provider.requests).toEqual([])
})

it('rehearse has the extractive model answer where that is what answers', async () => {
  await rehearse(await loadConfig({}), 1)
})
