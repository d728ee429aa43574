import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { ProcessState } from './process-probe.ts'
import { waitUntil } from './wait-until.ts'

/** The service as it is deployed: a process of its own, a port of its own, a configuration file. */
export interface ServiceProcess {
  readonly url: string
  /** Everything it wrote so far. */
  logs(): string
  kill(signal: NodeJS.Signals): void
  /** Another configuration in its file; it is read at SIGHUP. */
  reconfigure(config: object): void
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** What the process holds after a collection; only with `probe`. */
  state(): Promise<ProcessState>
  /** Sum of a metric's samples whose labels include these; 0 where there is none. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>
  stop(): Promise<void>
}

export interface ServiceProcessOptions {
  readonly probe?: boolean
  /** Runs it inside something else: a control group. */
  readonly command?: ((program: string, args: readonly string[]) => readonly [string, readonly string[]]) | undefined
}

const ROOT = path.resolve(import.meta.dirname, '../..')
/** A machine that is busy with other things starts nothing in a second. */
const START_PATIENCE_MS = 30_000
const LISTENS = /recapd is ready at (http:\/\/[^\s;"]+)/

export async function startServiceProcess(config: object, { probe = false, command }: ServiceProcessOptions = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-process-'))
  const file = path.join(folder, 'recapd.json')
  const reconfigure = (next: object) =>
    writeFileSync(file, JSON.stringify({ server: { port: 0, drainDelayMs: 0 }, ...next }))
  reconfigure(config)
  const flags = probe ? ['--expose-gc', '--import', path.join(ROOT, 'test/support/process-probe.ts')] : []
  const args = [...flags, 'src/main.ts']
  const [program, given] = command?.(process.execPath, args) ?? [process.execPath, args]
  const child = spawn(program, [...given], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], RECAPD_CONFIG: file },
    stdio: ['ignore', 'pipe', 'pipe', ...(probe ? ['ipc' as const] : [])],
  })
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      output += data
    })
  }
  const exited = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', killAtExit)
    return { code, signal }
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntil(() => LISTENS.test(output) || child.exitCode !== null, 'the service listens', START_PATIENCE_MS)
    const url = LISTENS.exec(output)?.[1]
    if (url === undefined) throw new Error('The service did not start')
    return serviceProcess({ child, url, exited, stop, reconfigure, logs: () => output })
  } catch (cause) {
    await stop()
    throw new Error(`The service does not listen:\n${output.slice(-3_000)}`, { cause })
  }
}

/** The same for one test alone: it is stopped when the test is over, passed or not. */
export async function serviceOfTest(config: object, options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess(config, options)
  onTestFinished(service.stop)
  return service
}

interface Parts extends Pick<ServiceProcess, 'url' | 'exited' | 'stop' | 'logs' | 'reconfigure'> {
  readonly child: ChildProcess
}

function serviceProcess({ child, url, exited, stop, logs, reconfigure }: Parts): ServiceProcess {
  return {
    url,
    logs,
    exited,
    stop,
    reconfigure,
    kill: (signal) => void child.kill(signal),
    async state() {
      const answer = once(child, 'message')
      child.send('state')
      const [state] = await answer
      return state as ProcessState
    },
    async metric(name, labels = {}) {
      const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } })
      return sumOf(await response.text(), name, labels)
    },
  }
}

function sumOf(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  let sum = 0
  for (const line of text.split('\n')) {
    const [, found, list = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (found !== name) continue
    if (Object.entries(labels).every(([key, wanted]) => list.includes(`${key}="${wanted}"`))) sum += Number(value)
  }
  return sum
}

/** Resolves with the exit code, or fails when the process is still there after so long. */
export async function exitCodeOf(service: ServiceProcess, withinMs: number): Promise<number | null> {
  const late = new AbortController()
  const end = await Promise.race([service.exited, sleep(withinMs, undefined, { signal: late.signal })])
  late.abort()
  if (end === undefined) throw new Error(`The service has not ended:\n${service.logs().slice(-2_000)}`)
  return end.code
}
