import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export interface SpawnedService {
  readonly url: string
  readonly process: ChildProcess
  /** What it wrote so far, standard error included. */
  output(): string
  /** Exit code, or the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals>
}

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The service as an operator starts it, on a free port; it ends with the test. Resolves when it listens. */
export async function spawnService(config: object): Promise<SpawnedService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'recapd-process-'))
  const file = path.join(folder, 'recapd.json')
  writeFileSync(file, JSON.stringify(config))
  const env = { ...process.env, RECAPD_CONFIG: file, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit').then(([code, signal]) => code ?? signal)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
    rmSync(folder, { recursive: true, force: true })
  })
  let output = ''
  const { promise: url, resolve, reject } = Promise.withResolvers<string>()
  const onData = (part: Buffer) => {
    output += part.toString()
    const listening = / (http:\/\/127\.0\.0\.1:\d+); candidates:/.exec(output)?.[1]
    if (listening !== undefined) resolve(listening)
  }
  child.stdout.on('data', onData)
  child.stderr.on('data', onData)
  void exit.then((end) => reject(new Error(`The service ended with ${end} before it listened:\n${output}`)))
  return { url: await url, process: child, output: () => output, exit }
}
