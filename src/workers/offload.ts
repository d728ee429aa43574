import { MessageChannel } from 'node:worker_threads'
import { RecapdError } from '../domain/errors.ts'
import { summarizeExtractively } from '../domain/extractive/summarize-extractively.ts'
import { planFold } from '../domain/transcript/fold-plan.ts'
import { systemClock } from '../models/clock.ts'
import type { Prompt } from '../models/prompt.ts'
import { letOthers } from '../models/signals/let-others.ts'
import type { Extract } from '../models/sources/extractive.ts'
import type { FoldOptions } from '../models/wrappers/folding/fold-parts.ts'
import type { Answer } from '../requests/answer.ts'
import { bodyCost } from '../requests/body-cost.ts'
import { type Execute, type Running, uncrossError } from '../requests/call.ts'
import { execute } from '../requests/execute.ts'
import type { JoinReplicas } from '../requests/join-replicas.ts'
import { joinRuns } from '../requests/join-runs.ts'
import { readShortWork, SHORT_WORK_BYTES } from '../requests/long-work.ts'
import { stackFrames } from '../requests/stack-frames.ts'
import { traceRun } from '../requests/trace-run.ts'
import { type CrossedPrompt, crossPrompt } from './crossed-prompt.ts'
import { graceAfterAbort } from './grace-after-abort.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { threadPool } from './pool.ts'
import type { WorkerData } from './port.ts'
import { servePort } from './port-server.ts'
import { startThread, type Thread, type ThreadEnd } from './thread.ts'
import type { PromptAnswer } from './worker.ts'

export interface Offload {
  /** Runs the pipeline of a call: here when it is short work, in a thread when it is long. */
  readonly run: Execute
  readonly extract: Extract
  readonly planFold: NonNullable<FoldOptions['plan']>
  /** True while work waits and no thread takes any. */
  isStarved(): boolean
  close(): Promise<void>
}

export interface OffloadOptions {
  readonly budget: MemoryBudget
  readonly worker: () => WorkerData
  /** A bug of ours in a thread; the stack holds no message. */
  readonly onInternal: (requestId: string, stack: string) => void
  /** A hook left something running in a thread, and it failed when nobody's call was its own any more. */
  readonly onHookFault: (name: string, fault: string) => void
  /** The stack holds no message; it is empty where the thread was ended on purpose. */
  readonly onThreadEnded: (reason: ThreadEnd, stack: string) => void
  /** Byte-equal requests on other replicas, where there are any. */
  readonly replicas?: JoinReplicas | undefined
}

const MIB = 1_048_576

/** Long work goes to threads, which start with the first of it and stay. */
export function createOffload(options: OffloadOptions): Offload {
  const { budget, onInternal } = options
  const pool = threadPool({
    budget,
    clock: systemClock,
    startThread: (onOver) =>
      startThread({
        workerData: options.worker(),
        heapMiB: budget.threadHeapBytes / MIB,
        onMessage: (message) =>
          message.type === 'taken' ? pool.taken(message.id) : options.onHookFault(message.name, message.fault),
        onOver,
      }),
    onEnded: (reason, cause) => options.onThreadEnded(reason, stackFrames(cause)),
  })

  const runInThread = ({ call, deps, emit }: Running, signal: AbortSignal): Promise<Answer> =>
    pool.run(
      {
        cost: bodyCost(call.mediaType, call.bytes.byteLength, { values: call.values ?? 0 }),
        async start(thread, id) {
          const { port1, port2 } = new MessageChannel()
          const tell = (stack: string) => onInternal(call.context.requestId, stack)
          const { known, chain } = deps.models
          const drained = servePort(port1, { deps, signal, emit, onInternal: tell })
          try {
            const task = { id, call, catalog: { known, chain }, port: port2 }
            const result = await thread.run('runCall', task, [port2])
            // The answer comes another way than the events, which it must not overtake.
            await drained
            if ('answer' in result) return () => result.answer
            if (result.internalStack !== undefined) tell(result.internalStack)
            return () => {
              const error = uncrossError(result.error)
              // Aborted, the pipeline says so in its own words, with a state; anything else is a consequence of being aborted.
              throw signal.aborted && error.code !== codeOf(signal.reason) ? signal.reason : error
            }
          } finally {
            port1.close()
          }
        },
      },
      signal,
    )

  /** Work on a long prompt, which belongs to a request that was admitted already. */
  async function workOnPrompt<Result>(
    prompt: Prompt,
    ask: (
      thread: Thread,
      task: { readonly id: number; readonly prompt: CrossedPrompt },
    ) => Promise<PromptAnswer<Result>>,
    signal: AbortSignal,
  ): Promise<Result> {
    await letOthers()
    const start = async (thread: Thread, id: number) => {
      const answer = await ask(thread, { id, prompt: crossPrompt(prompt) })
      if ('result' in answer) return () => answer.result
      if (answer.internalStack !== undefined) onInternal('none', answer.internalStack)
      return () => {
        throw uncrossError(answer.error)
      }
    }
    const cost = { heapBytes: Math.min(prompt.length * PROMPT_FACTOR, budget.threadHeapBytes), mainBytes: 0 }
    return graceAfterAbort(pool.run({ cost, isOfWork: true, start }, signal), signal)
  }

  return {
    run: joinRuns(
      traceRun(async (asked, signal) => {
        const running = { ...asked, deps: { ...asked.deps, models: asked.deps.models.pinned() } }
        const read = readShortWork(running.call)
        return read === undefined
          ? graceAfterAbort(runInThread(running, signal), signal)
          : execute({ ...running, read }, signal)
      }),
      options.replicas,
    ),
    extract: async (prompt, input, signal) =>
      prompt.length > SHORT_WORK_BYTES
        ? workOnPrompt(prompt, (thread, task) => thread.run('extract', { ...task, input }, []), signal)
        : summarizeExtractively({ ...input, prompt: prompt.text }),
    planFold: async (prompt, input, signal) =>
      prompt.length > SHORT_WORK_BYTES
        ? workOnPrompt(prompt, (thread, task) => thread.run('plan', { ...task, input }, []), signal)
        : planFold({ ...input, prompt: prompt.text }),
    isStarved: pool.isStarved,
    close: pool.close,
  }
}

/** Heap that each character of a prompt takes while it is summarized without a model. */
const PROMPT_FACTOR = 6

const codeOf = (reason: unknown): string | undefined => (reason instanceof RecapdError ? reason.code : undefined)
