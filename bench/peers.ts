import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Other people's programs that the bench runs; installed when it runs, never part of this project. */
const PEERS = ['@portkey-ai/gateway@1.15.2', 'autocannon@9.0.0']

/** Folder with the peers installed, beside everything else that may be thrown away. */
export function installPeers(more: readonly string[] = []): string {
  const folder = process.env['RECAPD_BENCH_PEERS'] ?? path.join(tmpdir(), 'recapd-bench-peers')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(path.join(folder, 'package.json')))
    writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
  const missing = [...PEERS, ...more].filter(
    (name) => !existsSync(path.join(folder, 'node_modules', name.replace(/@[^@/]+$/, ''))),
  )
  if (missing.length > 0) {
    console.error(`bench: installing ${missing.join(', ')} into ${folder}`)
    const { status } = spawnSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--save-exact', '--ignore-scripts', '--loglevel=error', ...missing],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    if (status !== 0) throw new Error('the peers could not be installed; npm says why above')
  }
  return folder
}
