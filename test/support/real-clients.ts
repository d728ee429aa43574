import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Scripts that install a real client and drive it against a fake provider and this service; not part of the repository. */
export const PEERS = path.resolve(process.env['RECAPD_PEERS'] ?? path.join(ROOT, '../shared/peers'))
/** Clients stay here between runs: they are large. */
const CLIENTS = path.resolve(process.env['RECAPD_CLIENTS'] ?? path.join(tmpdir(), 'recapd-clients'))
export const MINUTES = 60_000
export const hasPeers = existsSync(PEERS)
if (!hasPeers) console.warn(`Skipped: tests with real clients. No scripts at ${PEERS}; set RECAPD_PEERS.`)

/** Where a client is, or comes to be, installed. */
export const folderOf = (client: string): string => path.join(CLIENTS, client)

/** Why a client cannot be driven here; undefined when it can. */
export function install(client: string): string | undefined {
  const folder = folderOf(client)
  if (existsSync(path.join(folder, 'node_modules'))) return undefined
  const { status, stderr } = spawnSync('bash', [path.join(PEERS, client, 'install.sh'), folder], {
    encoding: 'utf8',
    timeout: 4 * MINUTES,
  })
  const missing = `${client} could not be installed: ${stderr.trim().split('\n').at(-1) ?? ''}`
  if (status !== 0) console.warn(`Skipped: ${missing}`)
  return status === 0 ? undefined : missing
}
