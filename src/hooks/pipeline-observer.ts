/** What one compaction or branch summary came to, for counting (docs/spec/contract.md §7). Numbers and words of ours only. */
export interface CompactionFacts {
  readonly kind: 'session' | 'messages' | 'branch'
  readonly reason: string
  /** Name of the key whose context it was. */
  readonly caller?: string | undefined
  /** `compacted`, `pruned`, or the reason why nothing changed. */
  readonly result: string
  readonly tokensBefore?: number | undefined
  readonly tokensAfter?: number | undefined
  readonly splitTurn?: boolean | undefined
  readonly prunedTokens?: number | undefined
}

/** What the pipelines tell whoever counts; crosses a thread, so plain data only. */
export interface PipelineObserver {
  compaction(facts: CompactionFacts): void
  audit(kept: number, restored: number): void
  hook(name: string, seconds: number): void
  /** A hook was ignored, or what it had left running failed. Words of ours, for the log: no text of a conversation. */
  hookFault(name: string, fault: string): void
}

export const silentPipelineObserver: PipelineObserver = { compaction() {}, audit() {}, hook() {}, hookFault() {} }
