import type { MessagePort } from 'node:worker_threads'
import type { CompactionFacts } from '../hooks/pipeline-observer.ts'
import type { AttemptRow, CandidateFacts, Completion, CompletionRequest, Selection } from '../models/model.ts'
import type { PipelineDefaults } from '../pipelines/pipeline-context.ts'
import type { PipelineEvent } from '../pipelines/pipeline-event.ts'
import type { CrossedError } from '../requests/call.ts'
import type { CrossedPrompt } from './crossed-prompt.ts'

/** A completion request as it crosses: its listener stays in the worker. */
export interface CrossedRequest extends Omit<CompletionRequest, 'listener' | 'prompt'> {
  readonly listens: boolean
  readonly prompt: CrossedPrompt
}

/** From the worker to the event loop. Only prompts go this way, and facts to be counted. */
export type ToMain =
  | { readonly type: 'complete'; readonly id: number; readonly selection: Selection; readonly request: CrossedRequest }
  | { readonly type: 'abandon'; readonly id: number }
  | { readonly type: 'lock'; readonly id: number; readonly name: string }
  | { readonly type: 'release'; readonly id: number }
  | { readonly type: 'fetch'; readonly id: number; readonly name: string }
  | {
      readonly type: 'keep'
      readonly id: number
      readonly name: string
      readonly value: string
      readonly ttlMs: number
    }
  | { readonly type: 'event'; readonly event: PipelineEvent }
  | { readonly type: 'compaction'; readonly facts: CompactionFacts }
  | { readonly type: 'audit'; readonly kept: number; readonly restored: number }
  | { readonly type: 'hook'; readonly name: string; readonly seconds: number }
  | HookFault

/** What a thread says beside the ports of its calls. */
export type FromThread = HookFault | { readonly type: 'taken'; readonly id: number }

/** Also sent beside the port of a call: what a hook leaves running can fail when its call is long over. */
export interface HookFault {
  readonly type: 'hook-fault'
  readonly name: string
  readonly fault: string
}

/** From the event loop to the worker. Only answers come this way. */
export type ToWorker =
  | { readonly type: 'abort'; readonly error: CrossedError }
  | { readonly type: 'completed'; readonly id: number; readonly completion: Completion }
  | { readonly type: 'failed'; readonly id: number; readonly error: CrossedError }
  | ({ readonly type: 'progress'; readonly id: number } & Progress)
  | { readonly type: 'locked'; readonly id: number; readonly taken: boolean }
  | { readonly type: 'shelved'; readonly id: number; readonly value: string | undefined }

/** What the listener of a call hears. */
export type Progress =
  | { readonly what: 'attempt'; readonly value: AttemptRow }
  | { readonly what: 'delta'; readonly value: string }
  | { readonly what: 'reset' }

/** The models that a call may ask, as they were loaded when it began: they can be others for the next one. */
export interface Catalog {
  readonly known: readonly CandidateFacts[]
  /** Ids of the default chain. */
  readonly chain: readonly string[]
}

/** What a worker is started with: constant for the life of the process. */
export interface WorkerData {
  readonly defaults: PipelineDefaults
  readonly promptsFolder: string | undefined
  readonly hooksFile: string | undefined
  /** `jobs.secret`, where there is one: what seals compaction items. */
  readonly secrets: readonly [string, ...string[]] | undefined
}

export const send = <T extends ToMain | ToWorker>(port: MessagePort, message: T): void => port.postMessage(message)
