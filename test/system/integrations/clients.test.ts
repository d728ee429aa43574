import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf, hasPeers, install, MINUTES, PEERS } from '../../support/real-clients.ts'
import { startServiceProcess } from '../../support/service-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
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

describe.skipIf(!hasPeers)('real clients', () => {
  it.for(WAYS)(
    '%s, %s: compacts through us and goes on with our summary',
    { timeout: 8 * MINUTES },
    ([client, way], { skip }) => {
      const missing = install(client)
      if (missing !== undefined) skip(missing)
      const drive = path.join(PEERS, client, 'drive.mjs')
      const words = [drive, folderOf(client), '--project', ROOT, '--only', way, '--timeout-s', '120']
      const { status, stdout } = spawnSync(process.execPath, words, {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: 3 * MINUTES,
      })
      expect(stdout.trim().split('\n').at(-1)).toBe(`ok: ${client} (${way})`)
      expect(status).toBe(0)
    },
  )

  it.for([
    ['by hand', []],
    ['at its threshold', ['--auto']],
  ] as const)(
    'omp, %s: the real CLI stores the summary that we made',
    { timeout: 8 * MINUTES },
    async ([, flags], { skip }) => {
      const missing = install('omp')
      if (missing !== undefined) skip(missing)
      const service = await startServiceProcess({})
      onTestFinished(service.stop)
      const drive = path.join(PEERS, 'omp', 'real-client.mjs')
      const words = [drive, folderOf('omp'), `${service.url}/summarize`, '--timeout-s', '120', ...flags]
      const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 3 * MINUTES })
      expect([status, stderr]).toEqual([0, ''])
    },
  )
})
