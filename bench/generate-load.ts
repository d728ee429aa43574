import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const LOAD = fileURLToPath(new URL('servers/load.cjs', import.meta.url))

export interface LoadResult {
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
  readonly timeouts: number
  readonly duration: number
  readonly latency: { readonly p50: number; readonly p99: number }
}

/** Runs one autocannon job in a process of its own, on the other core. */
export function generateLoad(peers: string, job: object): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const program = [process.execPath, LOAD, path.join(peers, 'node_modules/autocannon')]
    const child = spawn('taskset', ['-c', '1', ...program], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (data) => {
      output += data
    })
    child.once('error', reject)
    child.once('exit', () => {
      try {
        resolve(JSON.parse(output) as LoadResult)
      } catch {
        reject(new Error(`the load generator said: ${output.slice(0, 500)}`))
      }
    })
    child.stdin.end(JSON.stringify(job))
  })
}
