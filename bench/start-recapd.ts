import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Core, type RunningServer, startServer } from './start-server.ts'

/** The one provider every bench has, behind which its upstream plays the model. */
export const mockProvider = (baseUrl: string, model: object, more: object = {}) => ({
  mock: { baseUrl, apiKeys: ['test'], models: { 'mock-model': model }, ...more },
})

/** Limits high and the answer cache off: what is measured is work, not a refusal or an answer that was kept. */
export const UNLIMITED = {
  rateLimit: { max: 1_000_000_000, windowMs: 60_000 },
  cache: { ttlMs: 0, maxBytes: 0 },
}

interface StartOptions {
  /** Of Node. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cpu?: Core
}

/** The service with this configuration, on a loopback port, and on a core of its own unless it may use any. */
export function startRecapd(
  config: object,
  { flags = [], env = {}, cpu = 0 }: StartOptions = {},
): Promise<RunningServer> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'recapd-bench-')), 'recapd.json')
  writeFileSync(file, JSON.stringify(config))
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  return startServer([process.execPath, ...flags, main], { ...env, RECAPD_CONFIG: file, HOST: '127.0.0.1' }, cpu)
}
