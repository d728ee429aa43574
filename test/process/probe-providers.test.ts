import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { probeProviders } from '../../src/process/probe-providers.ts'
import { fakeProvider, type Reply } from '../support/fake-provider.ts'

async function probe(reply: Reply, more: object = {}) {
  const provider = await fakeProvider([reply])
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-probe-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true })
    await provider.close()
  })
  const file = path.join(folder, 'recapd.json')
  const alpha = { baseUrl: `${provider.url}/v1`, apiKeys: ['sk-secret'], models: { small: { contextWindow: 8000 } } }
  writeFileSync(file, JSON.stringify({ providers: { alpha }, ...more }))
  const lines = await probeProviders(await loadConfig({ RECAPD_CONFIG: file }))
  return { line: lines.join().replace(/\d+ ms/, 'N ms'), requests: provider.requests }
}

it.each([
  ['an answer', { text: 'Yes' }, 'probe: alpha/small answers (N ms)'],
  ['one that was cut', { text: 'Ye', finishReason: 'length' }, 'probe: alpha/small answers (N ms)'],
  [
    'a wrong key',
    { status: 401, json: { error: { message: 'sk-secret is wrong' } } },
    'probe: alpha/small failed: auth 401 (N ms)',
  ],
  [
    'no such model',
    { status: 404, json: { error: { message: 'no model' } } },
    'probe: alpha/small failed: not_found 404 (N ms)',
  ],
  ['a connection that breaks', { reset: true }, /^probe: alpha\/small failed: \w+(?: [A-Z_]+)? \(N ms\)$/],
] as const)('probeProviders tells %s, and no key', async (_, reply, expected) => {
  const { line, requests } = await probe(reply)
  expect(line).toMatch(expected)
  expect(line).not.toContain('sk-secret')
  // One try: retries and fallback would hide what is asked about.
  expect(requests).toHaveLength(1)
})

it('probeProviders says that nobody answered in time', async () => {
  const { line } = await probe({ hang: true }, { timeouts: { attemptMs: 1_000, firstTokenMs: 1_000 } })
  expect(line).toMatch(/^probe: alpha\/small failed: timeout/)
})
