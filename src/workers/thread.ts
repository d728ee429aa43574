import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import type { Transferable } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { FromThread, WorkerData } from './port.ts'
import type * as worker from './worker.ts'

/** Why a thread is no more: work that did not stop, memory, or an end of its own. */
export type ThreadEnd = 'deadline' | 'memory' | 'exit'

/** What a thread can be asked for: the functions that worker.ts exports, by their names. */
type Works = typeof worker

/** One thread for long work. */
export interface Thread {
  /** Rejects when the thread ends before the task does; what a task throws comes back as a value. */
  run<Name extends keyof Works>(
    name: Name,
    task: Parameters<Works[Name]>[0],
    transfer: readonly Transferable[],
  ): Promise<Awaited<ReturnType<Works[Name]>>>
  /** Ends it, whatever it does. */
  end(reason: ThreadEnd): void
  close(): Promise<void>
}

export interface ThreadOptions {
  readonly workerData: WorkerData
  /** Old generation, young generation: what it may have in all. */
  readonly heapMiB: number
  readonly onMessage: (message: FromThread) => void
  /** Called once. */
  readonly onOver: (reason: ThreadEnd, cause: unknown) => void
}

const YOUNG_MIB = 32
/** Of modules, prompts and patterns, before any work. */
const CODE_MIB = 40

/** Piscina with one worker: ended alone, it takes nobody else's work along. */
export function startThread({ workerData, heapMiB, onMessage, onOver }: ThreadOptions): Thread {
  let isOver = false
  const pool = new Piscina({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    // Work waiting here could wait for work that waits for it, so the pool sets the bound (seat.ts).
    concurrentTasksPerWorker: Number.MAX_SAFE_INTEGER,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(heapMiB) + CODE_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
    // Between two calls a thread goes on with what hooks have left running, instead of standing still.
    atomics: 'disabled',
    env: { ...process.env, ...compileCache() },
  })
  const over = (reason: ThreadEnd, cause: unknown) => {
    if (isOver) return
    isOver = true
    onOver(reason, cause)
    void pool.destroy()
  }
  pool.on('error', (error: unknown) => over(endOf(error), error))
  pool.on('message', onMessage)
  return {
    async run(name, task, transfer) {
      try {
        return await pool.run(task, { name, transferList: [...transfer] })
      } catch (error) {
        over(endOf(error), error)
        throw error
      }
    },
    end: (reason) => over(reason, undefined),
    async close() {
      isOver = true
      await pool.destroy()
    },
  }
}

/** A thread does not take over the main thread's cache, and would read each of its modules' TypeScript anew: twice the time. */
function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  // Node adds a folder for its version and flags.
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(folder) }
}

const endOf = (error: unknown): ThreadEnd =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'exit'
