import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** A redis-server of the system's package on a free loopback port. */
export interface RedisServer {
  readonly url: string
  /** As after a power cut; nothing it held survives, unless it writes it down. */
  kill(): Promise<void>
  /** Stops answering without closing its connections, and goes on. */
  freeze(): void
  thaw(): void
  start(): Promise<void>
  stop(): Promise<void>
}

export const redisIsInstalled = spawnSync('redis-server', ['--version']).status === 0
if (!redisIsInstalled) console.warn('redis-server is not installed: tests against a real Redis are skipped')

export interface RedisServerOptions {
  /** Writes down what it is told, as it should where jobs lie in it. */
  readonly writesDown?: boolean
}

export async function redisServer({ writesDown = false }: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'recapd-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const memory = writesDown ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']
    const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...memory]
    server = spawn('redis-server', flags, { stdio: 'ignore' })
    await until(() => answers(port), 'redis-server answers')
  }
  async function kill(): Promise<void> {
    const ended = server === undefined || server.exitCode !== null ? undefined : once(server, 'exit')
    server?.kill('SIGKILL')
    await ended
    server = undefined
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    start,
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Waits for a condition that another process brings about; bounded, and no faster machine makes it fail. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 500; i += 1) {
    if (await condition()) return
    await sleep(20)
  }
  throw new Error(`It never happened that ${what}`)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.on('data', (data) => {
      socket.destroy()
      resolve(data.toString().startsWith('+PONG'))
    })
    socket.on('error', () => resolve(false))
  })
}
