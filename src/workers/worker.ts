import { randomBytes } from 'node:crypto'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { asRecapdError, RecapdError } from '../domain/errors.ts'
import { type ExtractiveRequest, summarizeExtractively } from '../domain/extractive/summarize-extractively.ts'
import { type FoldInput, type FoldPlan, planFold } from '../domain/transcript/fold-plan.ts'
import { withSpelledParts } from '../domain/transcript/spelled-parts.ts'
import { workerHooks } from '../hooks/worker-hooks.ts'
import { createSealer } from '../models/stores/sealer.ts'
import { compactionItems } from '../pipelines/items/compaction-items.ts'
import type { PipelineDeps } from '../pipelines/pipeline-context.ts'
import type { PipelineEvent } from '../pipelines/pipeline-event.ts'
import { loadPrompts, PROMPTS_FOLDER } from '../prompts/load-prompts.ts'
import type { Answer } from '../requests/answer.ts'
import { type CrossedError, crossError, uncrossError, type WorkCall } from '../requests/call.ts'
import { execute } from '../requests/execute.ts'
import { stackFrames } from '../requests/stack-frames.ts'
import { type CrossedPrompt, crossedText } from './crossed-prompt.ts'
import { type Catalog, type FromThread, send, type ToWorker, type WorkerData } from './port.ts'
import { portClient } from './port-client.ts'

export interface WorkerTask {
  readonly id: number
  readonly call: WorkCall
  readonly catalog: Catalog
  readonly port: MessagePort
}

/** Work on one long prompt. */
export interface PromptTask<Input extends { readonly prompt: string }> {
  readonly id: number
  readonly prompt: CrossedPrompt
  /** What is to be known beside it. */
  readonly input: Omit<Input, 'prompt'>
}

export type PromptAnswer<Result> = { readonly result: Result } | Failure

interface Failure {
  readonly error: CrossedError
  readonly internalStack?: string | undefined
}

export type WorkerAnswer = { readonly answer: Answer } | Failure

const { defaults, promptsFolder, hooksFile, secrets }: WorkerData = Piscina.workerData
const prompts = loadPrompts(PROMPTS_FOLDER, promptsFolder)
const tell = (message: FromThread): void => parentPort?.postMessage(message)
const hooksFor = await workerHooks(hooksFile, (name, fault) => tell({ type: 'hook-fault', name, fault }))
const items = compactionItems(secrets === undefined ? undefined : createSealer(secrets))

/** Runs one whole pipeline in this thread; its model calls go through the port to the event loop, where the pools are. */
export async function runCall({ id, call, catalog, port }: WorkerTask): Promise<WorkerAnswer> {
  tell({ type: 'taken', id })
  const controller = new AbortController()
  const client = portClient(port, catalog)
  port.on('message', (message: ToWorker) => {
    if (message.type === 'abort') controller.abort(uncrossError(message.error))
    else client.receive(message)
  })
  const observer = {
    compaction: (facts: Parameters<PipelineDeps['observer']['compaction']>[0]) =>
      send(port, { type: 'compaction' as const, facts }),
    audit: (kept: number, restored: number) => send(port, { type: 'audit' as const, kept, restored }),
    hook: (name: string, seconds: number) => send(port, { type: 'hook' as const, name, seconds }),
    hookFault: (name: string, fault: string) => send(port, { type: 'hook-fault' as const, name, fault }),
  }
  try {
    const deps: PipelineDeps = {
      models: client.models,
      prompts,
      defaults,
      hooks: hooksFor(observer),
      observer,
      lock: client.lock,
      items,
      shelf: client.shelf,
      now: () => Date.now(),
      newId: () => randomBytes(4).toString('hex'),
    }
    const emit = call.context.wantsEvents
      ? (event: PipelineEvent) => send(port, { type: 'event' as const, event })
      : undefined
    return { answer: await execute({ call, deps, emit }, controller.signal) }
  } catch (thrown) {
    if (thrown instanceof RecapdError) return { error: crossError(thrown) }
    return internal(thrown)
  } finally {
    port.close()
  }
}

/** The extractive summary of a prompt. */
export const extract = (task: PromptTask<ExtractiveRequest>): PromptAnswer<string> =>
  workOn(task, summarizeExtractively)

/** How a prompt is cut into parts; where they stand goes back, not their text. */
export const plan = (task: PromptTask<FoldInput>): PromptAnswer<FoldPlan> =>
  workOn(task, (input) => {
    const planned = planFold(input)
    return 'json' in task.prompt ? withSpelledParts(planned, input.prompt, task.prompt.json) : planned
  })

function workOn<Input extends { readonly prompt: string }, Result>(
  { id, prompt, input }: PromptTask<Input>,
  work: (input: Omit<Input, 'prompt'> & { readonly prompt: string }) => Result,
): PromptAnswer<Result> {
  tell({ type: 'taken', id })
  try {
    return { result: work({ ...input, prompt: crossedText(prompt) }) }
  } catch (thrown) {
    return thrown instanceof RecapdError ? { error: crossError(thrown) } : internal(thrown)
  }
}

/** A bug of ours: its stack goes to the log of the event loop, without the message, which may quote a conversation. */
const internal = (thrown: unknown): Failure => ({
  error: crossError(asRecapdError(thrown)),
  internalStack: stackFrames(thrown),
})
