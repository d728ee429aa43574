/**
 * What an operator's hook file is written against: one `import type { RecapdHooks }`, erased at run time. The file exports
 * functions by these names (`export { mine as 'session.compacting' }`), or one object of them as `hooks` or as default.
 *
 * Every event is a copy: changing it changes nothing. A hook has 5 s; one that throws, hangs or answers nonsense is warned
 * of, logged, counted and ignored.
 */
import type { FileLists } from '../domain/conversation/file-lists.ts'
import type { Entry } from '../domain/session/entry.ts'
import type { AgentMessage } from '../domain/session/message.ts'
import type { HookResults } from './hook-results.ts'

export type { AgentMessage, Entry, FileLists }

/** Before a compaction asks any model. Answer `{ cancel: true }`, or `{ compaction }` to be stored as it is. */
export interface SessionBeforeCompactEvent {
  readonly preparation: CompactionPreparation
  /** The path from the root to the leaf. */
  readonly branchEntries: readonly Entry[]
  readonly customInstructions?: string | undefined
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** What the default compaction would do. Tokens are estimates but for `tokensBefore`, which is measured where it can be. */
export interface CompactionPreparation {
  readonly firstKeptEntryId: string
  readonly messagesToSummarize: readonly AgentMessage[]
  /** The beginning of the turn that the cut splits; empty when the cut stands between two turns. */
  readonly turnPrefixMessages: readonly AgentMessage[]
  readonly recentMessages: readonly AgentMessage[]
  readonly isSplitTurn: boolean
  readonly tokensBefore: number
  readonly previousSummary?: string | undefined
  readonly previousPreserveData?: Readonly<Record<string, unknown>> | undefined
  readonly fileOps: FileLists
  readonly settings: { readonly enabled: boolean; readonly reserveTokens: number; readonly keepRecentTokens: number }
}

/** Before the prompts of the default compaction are built. `prompt` replaces the instructions of the history alone. */
export interface SessionCompactingEvent {
  /** Of the request, else of the session's header. */
  readonly sessionId?: string | undefined
  /** History and turn prefix. */
  readonly messages: readonly AgentMessage[]
}

/** The entry that the answer carries; the agent may still not append it. */
export interface SessionCompactEvent {
  readonly compactionEntry: Entry
  readonly fromExtension: boolean
}

/** Before an agent goes elsewhere in its tree. Answer `{ cancel: true }`, or `{ summary }`, used where one was asked for. */
export interface SessionBeforeTreeEvent {
  readonly preparation: {
    readonly targetId: string
    readonly oldLeafId: string | null
    readonly commonAncestorId: string | null
    readonly entriesToSummarize: readonly Entry[]
    readonly userWantsSummary: boolean
  }
  readonly signal: AbortSignal
}

/** Where the agent stands after it. */
export interface SessionTreeEvent {
  readonly newLeafId: string | null
  readonly oldLeafId: string | null
  readonly summaryEntry?: Entry | undefined
  readonly fromExtension?: boolean | undefined
}

type Handler<Event, Result> = (event: Event) => Result | null | undefined | Promise<Result | null | undefined>

/** All five, each of them optional. What the two notifications answer is not looked at. */
export interface RecapdHooks {
  session_before_compact?: Handler<SessionBeforeCompactEvent, HookResults['session_before_compact']>
  'session.compacting'?: Handler<SessionCompactingEvent, HookResults['session.compacting']>
  session_compact?: (event: SessionCompactEvent) => unknown
  session_before_tree?: Handler<SessionBeforeTreeEvent, HookResults['session_before_tree']>
  session_tree?: (event: SessionTreeEvent) => unknown
}
