import { availableParallelism } from 'node:os'
import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { RecapdError } from '../domain/errors.ts'
import { summariseExtractively } from '../domain/extractive/summarise-extractively.ts'
import { planFold } from '../domain/transcript/fold-plan.ts'
import type { Extract } from '../models/extractive.ts'
import type { FoldOptions } from '../models/fold-options.ts'
import type { Emit, PipelineDeps } from '../pipelines/pipeline-context.ts'
import { type Answer, type Call, OFFLOAD_BYTES, type Run, uncrossError } from './call.ts'
import { execute } from './execute.ts'
import { joinRuns } from './join-runs.ts'
import type { HookFault, WorkerData } from './port.ts'
import { servePort } from './port-server.ts'
import type { WorkerAnswer } from './worker.ts'

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
}

/**
 * Two pools, so that a pipeline that waits for an extractive summary never holds the thread which must make it.
 * Threads start with the first big body and stay.
 */
export function createOffload(options: OffloadOptions): Offload {
  const maxThreads = Math.max(1, availableParallelism() - 1)
  let pipelines: Piscina | undefined
  let promptWorkers: Piscina | undefined
  const file = (name: string) => new URL(name, import.meta.url).href
  const startPipelines = () => {
    const pool = new Piscina({
      filename: file('./worker.ts'),
      name: 'runCall',
      minThreads: 1,
      maxThreads,
      concurrentTasksPerWorker: CALLS_PER_WORKER,
      workerData: options.worker(),
      // Between two calls a thread goes on with what hooks have left running, instead of standing still.
      atomics: 'disabled',
    })
    pool.on('message', ({ name, fault }: HookFault) => options.onHookFault(name, fault))
    return pool
  }
  const promptPool = () =>
    (promptWorkers ??= new Piscina({ filename: file('./prompt-worker.ts'), minThreads: 1, maxThreads }))

  async function runInWorker(
    call: Call,
    deps: PipelineDeps,
    signal: AbortSignal,
    emit: Emit | undefined,
  ): Promise<Answer> {
    const { port1, port2 } = new MessageChannel()
    const drained = servePort(port1, deps, signal, emit)
    const bytes = ownBytes(call.bytes)
    pipelines ??= startPipelines()
    const result: WorkerAnswer = await pipelines.run(
      { call: { ...call, bytes }, port: port2 },
      { transferList: [port2, bytes.buffer] },
    )
    // The answer comes another way than the events, which it must not overtake.
    await drained
    if ('answer' in result) return result.answer
    if (result.internalStack !== undefined) options.onInternal(call.context.requestId, result.internalStack)
    const error = uncrossError(result.error)
    // Aborted, the pipeline says so in its own words, with a state; anything else is a consequence of being aborted.
    if (signal.aborted && error.code !== codeOf(signal.reason)) throw signal.reason
    throw error
  }

  return {
    run: joinRuns((call, deps, signal, emit) =>
      call.bytes.byteLength > OFFLOAD_BYTES ? runInWorker(call, deps, signal, emit) : execute(call, deps, signal, emit),
    ),
    async extract({ prompt, maxTokens }, signal) {
      if (prompt.length <= OFFLOAD_BYTES) return summariseExtractively({ prompt, maxTokens })
      const bytes = ownBytes(Buffer.from(prompt, 'utf8'))
      return promptPool().run({ bytes, maxTokens }, { name: 'extract', transferList: [bytes.buffer], signal })
    },
    async planFold(input, signal) {
      if (input.prompt.length <= OFFLOAD_BYTES) return planFold(input)
      const { prompt, ...rest } = input
      const bytes = ownBytes(Buffer.from(prompt, 'utf8'))
      return promptPool().run({ ...rest, bytes }, { name: 'plan', transferList: [bytes.buffer], signal })
    },
    async close() {
      await Promise.all([pipelines?.destroy(), promptWorkers?.destroy()])
    },
  }
}

const codeOf = (reason: unknown): string | undefined => (reason instanceof RecapdError ? reason.code : undefined)

/** Bytes that own their whole buffer and may therefore be transferred; small slices of a shared pool are copied first. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
  return whole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}
