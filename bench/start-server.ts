import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RunningServer {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

export type Core = 0 | 1 | 'any'

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const canPin = spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0

/** Starts a server on a free loopback port, pinned to its core where it has one and the system can, and waits until it listens. */
export async function startServer(
  command: readonly string[],
  env: Record<string, string>,
  cpu: Core,
): Promise<RunningServer> {
  const port = await freePort()
  const words = command.map((word) => word.replaceAll('$PORT', String(port)))
  const [program = '', ...args] = canPin && cpu !== 'any' ? ['taskset', '-c', String(cpu), ...words] : words
  const child = spawn(program, args, {
    env: { ...process.env, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let complaint = ''
  child.stderr?.on('data', (data) => {
    complaint = `${complaint}${data}`.slice(-2000)
  })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running.delete(child)
      resolve()
    })
  })
  for (let tries = 0; !(await listens(port)); tries += 1) {
    if (tries > 4_000 || child.exitCode !== null) throw new Error(`${words.join(' ')} did not start: ${complaint}`)
    await sleep(5)
  }
  return {
    pid: child.pid ?? 0,
    port,
    async stop() {
      child.kill('SIGTERM')
      await Promise.race([gone, sleep(3_000, undefined, { ref: false })])
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
