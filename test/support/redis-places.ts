import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { until } from './redis-server.ts'

/** A Redis that is reached in another way than by one plain address. */
export interface RedisPlace {
  /** The `redis` section of a configuration. */
  readonly redis: object
  /** As after a power cut of its main server. */
  kill(): Promise<void>
}

const QUIET = ['--save', '', '--appendonly', 'no', '--bind', '127.0.0.1']

function folderOfTest(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-redis-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** For the running test. `ask` are flags of redis-cli that reach it. */
async function startServer(args: readonly string[], ask: readonly string[]) {
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  await until(() => cli(...ask, 'ping').trim() === 'PONG' || child.exitCode !== null, 'redis-server answers')
  if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}: ${args.join(' ')}`)
  return { kill }
}

const cli = (...args: readonly string[]): string => spawnSync('redis-cli', args, { encoding: 'utf8' }).stdout

/** One node with every slot. */
export async function redisCluster(): Promise<RedisPlace> {
  const port = `${await freePort()}`
  const node = [
    '--cluster-enabled',
    'yes',
    '--cluster-announce-ip',
    '127.0.0.1',
    '--cluster-port',
    `${await freePort()}`,
  ]
  const { kill } = await startServer([...QUIET, '--port', port, '--dir', folderOfTest(), ...node], ['-p', port])
  cli('-p', port, 'cluster', 'addslotsrange', '0', '16383')
  await until(() => cli('-p', port, 'cluster', 'info').includes('cluster_state:ok'), 'the cluster is whole')
  return { redis: { url: `redis://127.0.0.1:${port}`, cluster: true }, kill }
}

/** A certificate of its own for 127.0.0.1, and nothing but TLS. */
export async function redisOverTls(): Promise<RedisPlace> {
  const folder = folderOfTest()
  const [port, key, ca] = [`${await freePort()}`, path.join(folder, 'key.pem'), path.join(folder, 'ca.pem')]
  const made = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-keyout',
      key,
    ].concat(['-out', ca, '-subj', '/CN=redis of a test', '-addext', 'subjectAltName=IP:127.0.0.1']),
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`)
  const files = ['--tls-cert-file', ca, '--tls-key-file', key, '--tls-ca-cert-file', ca, '--tls-auth-clients', 'no']
  const { kill } = await startServer(
    [...QUIET, '--port', '0', '--tls-port', port, '--dir', folder, ...files],
    ['-p', port, '--tls', '--cacert', ca],
  )
  return { redis: { url: `rediss://127.0.0.1:${port}`, tls: { ca } }, kill }
}

/** A main server, one that follows it, and a sentinel that puts that in its place. */
export async function redisWithSentinel(): Promise<RedisPlace> {
  const [main, follower, sentinel] = [`${await freePort()}`, `${await freePort()}`, `${await freePort()}`]
  const { kill } = await startServer([...QUIET, '--port', main, '--dir', folderOfTest()], ['-p', main])
  const follows = ['--replicaof', `127.0.0.1 ${main}`]
  await startServer([...QUIET, '--port', follower, '--dir', folderOfTest(), ...follows], ['-p', follower])
  await until(() => cli('-p', follower, 'info').includes('master_link_status:up'), 'the follower has everything')
  const folder = folderOfTest()
  const file = path.join(folder, 'sentinel.conf')
  writeFileSync(
    file,
    [
      `port ${sentinel}\nbind 127.0.0.1\ndir ${folder}`,
      `sentinel monitor memory 127.0.0.1 ${main} 1`,
      'sentinel down-after-milliseconds memory 500\nsentinel failover-timeout memory 5000\n',
    ].join('\n'),
  )
  await startServer([file, '--sentinel'], ['-p', sentinel])
  const knows = () => cli('-p', sentinel, 'sentinel', 'replicas', 'memory').includes(follower)
  await until(knows, 'the sentinel knows the follower')
  const sentinels = { name: 'memory', nodes: [`127.0.0.1:${sentinel}`] }
  return { redis: { url: `redis://127.0.0.1:${main}`, sentinels }, kill }
}
