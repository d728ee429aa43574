import type { PlanReport } from '../domain/compaction/plan.ts'
import type { AttemptRow } from '../models/model.ts'
import type { CompactMessagesResult, CompactSessionResult } from './compact-result-schema.ts'
import type { CompactRequest } from './compact-schema.ts'

/** Which of a pass's calls it is about; /summarize makes one, and says nothing. */
interface OfCall {
  readonly kind?: string | undefined
}

/**
 * What a pipeline reports while it works: the names and bodies of the events that a caller streams (docs/spec/contract.md §1, §3). All of it
 * is provisional; the answer counts.
 */
export type PipelineEvent =
  | { readonly name: 'compaction_start'; readonly data: { readonly reason: CompactRequest['reason'] } }
  | { readonly name: 'pruned'; readonly data: CompactSessionResult['pruned'] }
  | { readonly name: 'plan'; readonly data: PlanReport | ListPlanReport }
  | { readonly name: 'attempt'; readonly data: AttemptRow & OfCall }
  | { readonly name: 'delta'; readonly data: { readonly text: string } & OfCall }
  /** The deltas of this call so far belong to a failed attempt: discard them. */
  | { readonly name: 'reset'; readonly data: OfCall }
  /** This call's answer is there. */
  | { readonly name: 'summary'; readonly data: { readonly kind: string } }
  /** The body of a chat request asked for a stream: heartbeats may begin. */
  | { readonly name: 'stream'; readonly data: Readonly<Record<string, never>> }

/** `plan` of a message list. */
export interface ListPlanReport {
  readonly boundaries: CompactMessagesResult['boundaries']
  readonly tokensBefore: number
}

/** Hears the events of a pipeline that is streamed. */
export interface Emit {
  (event: PipelineEvent): void
  /** Where the listener does not keep up: resolves when there is room again. Models are made to wait for that. */
  readonly room?: (() => Promise<void> | undefined) | undefined
}
