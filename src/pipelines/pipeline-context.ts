import type { Wire } from '../domain/agents/request-view.ts'
import type { Dialect } from '../domain/dialects/codec.ts'
import type { SessionSource } from '../domain/dialects/session-file.ts'
import type { Prompts } from '../domain/prompts/prompts-shape.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { PipelineObserver } from '../hooks/pipeline-observer.ts'
import type { Models } from '../models/model.ts'
import type { Lease } from '../models/stores/store.ts'
import type { Shelf } from './ahead/prepared.ts'
import type { CompactionItems } from './items/compaction-items.ts'
import type { Emit } from './pipeline-event.ts'

/** Defaults a request's own settings win over (config `compaction`, `branchSummary`, `audit`). */
export interface PipelineDefaults {
  readonly compaction: {
    readonly enabled: boolean
    readonly reserveTokens?: number | undefined
    readonly keepRecentTokens?: number | undefined
    readonly autoContinue: boolean
    readonly thresholdPercent?: number | undefined
    readonly thresholdTokens?: number | undefined
  }
  /** Absent: 16384, less where the window is small. */
  readonly branchReserveTokens: number | undefined
  /** Headings and audit also on /summarize prompts that hold a conversation. */
  readonly auditSummarize: boolean
  /** How long a summary made ahead of time is kept. */
  readonly aheadTtlMs: number
}

/** What a pipeline is made with, once per process (or worker). */
export interface PipelineDeps {
  readonly models: Models
  readonly prompts: Prompts
  readonly defaults: PipelineDefaults
  readonly hooks: Hooks
  readonly observer: PipelineObserver
  /** Holds a session for one compaction at a time, across replicas where there is Redis. */
  lock(name: string): Promise<Lease | 'taken'>
  /** Seals and opens the compaction items of the Responses face. */
  readonly items: CompactionItems
  /** For summaries made ahead of time; of all replicas where there is Redis. */
  readonly shelf: Shelf
  /** Milliseconds since the epoch. */
  now(): number
  /** Eight hex digits, as pi's entry ids. */
  newId(): string
}

/** What is known of a session file that came as it lies on disk (docs/spec/reading.md §4). */
export interface ReadFrom {
  readonly source: SessionSource
  /** Dialect of its messages; absent: a tree, or found from the rows. */
  readonly format?: Dialect | undefined
  /** Prompt and answer as they were last measured, in tokens; 0 where nothing was recorded. */
  readonly measuredTokens: number
}

/** The wire of a request that stands before a provider. */
export interface AgentWire {
  readonly wire: Wire
  /** The path itself is a compaction call's. */
  readonly isCompaction: boolean
}

/** What one request brings beside its body. Plain data: it crosses into a worker. */
export interface CallContext {
  readonly requestId: string
  /** Name of the caller's key, or `anonymous`. */
  readonly callerName: string
  /** Milliseconds since the epoch. */
  readonly deadlineAt: number
  readonly traceparent?: string | undefined
  readonly noCache: boolean
  /** Globs of the caller's key over model ids; absent: all. */
  readonly allowedModels?: readonly string[] | undefined
  /** Where headers or the query ask for events; the names are those of docs/spec/contract.md §1 and §3. */
  readonly wantsEvents: boolean
  /** How an agent that came through the proxy speaks; absent: it came to us. */
  readonly wire?: AgentWire | undefined
  /** What reading the body had to skip (ndjson), for `warnings`. */
  readonly readWarnings: readonly string[]
  /** What a session file held beside its messages; absent where the body was not a file. */
  readonly readFrom?: ReadFrom | undefined
  /**
   * The JSON string of a prompt (/summarize) that was looked through, holds no conversation and nothing that must not go out. The request then
   * has its beginning alone.
   */
  readonly plainPrompt?: Uint8Array | undefined
  /** The JSON string of `prompt` (/summarize) as it came, where the body is long enough for that to save anything. */
  readonly promptJson?: Uint8Array | undefined
}

/** One request on its way through a pipeline. */
export interface PipelineCall<Request> {
  readonly request: Request
  readonly context: CallContext
  readonly deps: PipelineDeps
  readonly emit?: Emit | undefined
}

/** One step of a pass: everything that is known so far, and what is needed to go on. */
export interface Step<Pass> {
  readonly pass: Pass
  readonly deps: PipelineDeps
  readonly emit?: Emit | undefined
}
