// Preloaded into a service under test (node --expose-gc --import): tells over IPC what the process holds. It touches nothing else.
import { readdirSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

export interface ProcessState {
  /** Bytes after a full collection. */
  readonly heapUsed: number
  /** Open file descriptors, connections included. */
  readonly descriptors: number
  /** Types of what keeps the event loop alive, e.g. `Timeout`. */
  readonly resources: readonly string[]
  /** Names of the warnings so far, e.g. `MaxListenersExceededWarning`. */
  readonly warnings: readonly string[]
}

if (isMainThread && process.send !== undefined) {
  const warnings: string[] = []
  process.on('warning', (warning) => void warnings.push(warning.name))
  process.on('message', async () => {
    // Twice: what the first collection finalises, the second one frees.
    for (let i = 0; i < 2; i += 1) {
      await new Promise(setImmediate)
      globalThis.gc?.()
    }
    const state: ProcessState = {
      heapUsed: process.memoryUsage().heapUsed,
      descriptors: readdirSync('/proc/self/fd').length,
      resources: process.getActiveResourcesInfo(),
      warnings,
    }
    process.send?.(state)
  })
  process.channel?.unref()
}
