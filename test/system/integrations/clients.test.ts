import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../../..')
/** Scripts that install a real client and drive it against a fake provider and this service; not part of the repository. */
const PEERS = path.resolve(process.env['RECAPD_PEERS'] ?? path.join(ROOT, '../shared/peers'))
/** Clients stay here between runs: they are large. */
const CLIENTS = path.resolve(process.env['RECAPD_CLIENTS'] ?? path.join(tmpdir(), 'recapd-clients'))
const MINUTES = 60_000
const hasPeers = existsSync(PEERS)
if (!hasPeers) console.warn(`Skipped: tests with real clients. No scripts at ${PEERS}; set RECAPD_PEERS.`)

/** Each client with the ways in which it reaches us. */
const WAYS = [
  ['pi', 'compact'],
  ['pi', 'tree'],
  ['pi', 'fallback'],
  ['pi', 'own'],
  ['opencode', 'agent'],
  ['opencode', 'proxy'],
  ['claude-code', 'proxy'],
  ['claude-code', 'hook'],
  ['codex', 'trigger'],
  ['codex', 'local'],
  ['gemini-cli', 'proxy'],
  ['ai-sdk', 'loop'],
  ['ai-sdk', 'failing'],
  ['langchain', 'agent'],
  ['langchain', 'failing'],
  ['openai-agents', 'session'],
  ['openai-sdk', 'direct'],
  ['openai-sdk', 'proxy'],
] as const

/** Why a client cannot be driven here; undefined when it can. */
function install(client: string): string | undefined {
  const folder = path.join(CLIENTS, client)
  if (existsSync(path.join(folder, 'node_modules'))) return undefined
  const { status, stderr } = spawnSync('bash', [path.join(PEERS, client, 'install.sh'), folder], {
    encoding: 'utf8',
    timeout: 4 * MINUTES,
  })
  return status === 0 ? undefined : `${client} could not be installed: ${stderr.trim().split('\n').at(-1) ?? ''}`
}

describe.skipIf(!hasPeers)('real clients', () => {
  it.for(WAYS)(
    '%s, %s: compacts through us and goes on with our summary',
    { timeout: 8 * MINUTES },
    ([client, way], { skip }) => {
      const missing = install(client)
      if (missing !== undefined) {
        console.warn(`Skipped: ${missing}`)
        skip(missing)
      }
      const drive = path.join(PEERS, client, 'drive.mjs')
      const words = [drive, path.join(CLIENTS, client), '--project', ROOT, '--only', way, '--timeout-s', '120']
      const { status, stdout } = spawnSync(process.execPath, words, {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: 3 * MINUTES,
      })
      expect(stdout.trim().split('\n').at(-1)).toBe(`ok: ${client} (${way})`)
      expect(status).toBe(0)
    },
  )
})
