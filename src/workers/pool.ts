import { availableParallelism } from 'node:os'
import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { RecapdError } from '../domain/errors.ts'
import { summarizeExtractively } from '../domain/extractive/summarize-extractively.ts'
import { planFold } from '../domain/transcript/fold-plan.ts'
import type { Extract } from '../models/sources/extractive.ts'
import type { FoldOptions } from '../models/wrappers/folding/fold-parts.ts'
import type { Answer } from '../requests/answer.ts'
import { OFFLOAD_BYTES, type Run, type Running, uncrossError } from '../requests/call.ts'
import { execute } from '../requests/execute.ts'
import type { JoinReplicas } from '../requests/join-replicas.ts'
import { joinRuns } from '../requests/join-runs.ts'
import { stackFrames } from '../requests/stack-frames.ts'
import { letOthers } from './let-others.ts'
import type { HookFault, WorkerData } from './port.ts'
import { servePort } from './port-server.ts'
import { withLastWords } from './with-last-words.ts'
import type { WorkerAnswer } from './worker.ts'

type PoolOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>

/** A pipeline in a worker mostly waits for models, so one thread holds many; the number is a bound, not a target. */
const CALLS_PER_WORKER = 64

export interface Offload {
  /** Runs the pipeline of a call: here when its body is small, in a worker when it is big. */
  readonly run: Run
  readonly extract: Extract
  readonly planFold: NonNullable<FoldOptions['plan']>
  close(): Promise<void>
}

export interface OffloadOptions {
  readonly worker: () => WorkerData
  /** A bug of ours in a worker; the stack holds no message. */
  readonly onInternal: (requestId: string, stack: string) => void
  /** A hook left something running in a worker, and it failed when nobody's call was its own any more. */
  readonly onHookFault: (name: string, fault: string) => void
  /** Byte-equal requests on other replicas, where there are any. */
  readonly replicas?: JoinReplicas | undefined
}

/**
 * Two pools, so that a pipeline that waits for an extractive summary never holds the thread which must make it.
 * Threads start with the first big body and stay.
 */
export function createOffload(options: OffloadOptions): Offload {
  const maxThreads = Math.max(1, availableParallelism() - 1)
  const pools = new Map<string, Piscina>()

  function startPool(file: string, more: PoolOptions): Piscina {
    const filename = new URL(file, import.meta.url).href
    const pool = new Piscina({ filename, minThreads: 1, maxThreads, idleTimeout: Number.POSITIVE_INFINITY, ...more })
    pools.set(file, pool)
    // A thread that fails outside any task. Without a listener it would end the process, and where none could start, the
    // tasks that wait for one would wait for ever.
    pool.on('error', (error: unknown) => {
      options.onInternal('none', stackFrames(error))
      if (pool.threads.length > 0) return
      pools.delete(file)
      void pool.destroy()
    })
    return pool
  }

  const promptPool = (file = './prompt-worker.ts') => pools.get(file) ?? startPool(file, {})

  function pipelinePool(file = './worker.ts'): Piscina {
    const started = pools.get(file)
    if (started !== undefined) return started
    const pool = startPool(file, {
      name: 'runCall',
      concurrentTasksPerWorker: CALLS_PER_WORKER,
      workerData: options.worker(),
      // Between two calls a thread goes on with what hooks have left running, instead of standing still.
      atomics: 'disabled',
    })
    pool.on('message', ({ name, fault }: HookFault) => options.onHookFault(name, fault))
    return pool
  }

  async function runInWorker({ call, deps, emit }: Running, signal: AbortSignal): Promise<Answer> {
    const { port1, port2 } = new MessageChannel()
    const onInternal = (stack: string) => options.onInternal(call.context.requestId, stack)
    const drained = servePort(port1, { deps, signal, emit, onInternal })
    // The bytes of a trial are still needed here.
    const bytes = call.isTrial === true ? new Uint8Array(call.bytes) : ownBytes(call.bytes)
    try {
      const task = { call: { ...call, bytes }, port: port2 }
      const result: WorkerAnswer = await pipelinePool().run(task, { transferList: [port2, bytes.buffer] })
      // The answer comes another way than the events, which it must not overtake.
      await drained
      if ('answer' in result) return result.answer
      if (result.internalStack !== undefined) onInternal(result.internalStack)
      const error = uncrossError(result.error)
      // Aborted, the pipeline says so in its own words, with a state; anything else is a consequence of being aborted.
      if (signal.aborted && error.code !== codeOf(signal.reason)) throw signal.reason
      throw error
    } finally {
      port1.close()
    }
  }

  /** Runs a function of prompt-worker.ts; aborted, its thread is ended. */
  async function workOnPrompt<T>(name: string, input: { prompt: string }, signal: AbortSignal): Promise<T> {
    await letOthers()
    try {
      return await promptPool().run(input, { name, signal })
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    }
  }

  return {
    run: joinRuns(
      (running, signal) =>
        running.call.bytes.byteLength > OFFLOAD_BYTES
          ? withLastWords(runInWorker(running, signal), signal)
          : execute(running, signal),
      options.replicas,
    ),
    extract: async (input, signal) =>
      input.prompt.length > OFFLOAD_BYTES ? workOnPrompt('extract', input, signal) : summarizeExtractively(input),
    planFold: async (input, signal) =>
      input.prompt.length > OFFLOAD_BYTES ? workOnPrompt('plan', input, signal) : planFold(input),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

const codeOf = (reason: unknown): string | undefined => (reason instanceof RecapdError ? reason.code : undefined)

/** Bytes that own their whole buffer and may therefore be transferred; small slices of a shared pool are copied first. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
  return whole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}
