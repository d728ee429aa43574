/** Something quoted or derived, with the number of the user's turn it came from; numbers go on over the generations. */
export interface LedgerItem {
  readonly text: string
  readonly turn: number
}

/** Something that has to survive letter by letter. */
export interface Named extends LedgerItem {
  /** Higher for what people named, what commands produced, what came back and what is new. */
  readonly worth: number
}

/** A request of the user in the user's words. */
export interface Ask extends LedgerItem {
  /** The one the ledger marks; a place in the list says nothing. */
  readonly isNewest: boolean
  /** What it answers, in the assistant's words, where it is too short to be understood alone; else ''. */
  readonly answers: string
  /** Said in an earlier generation. */
  readonly isCarried: boolean
}

export interface Decision extends LedgerItem {
  readonly by: 'user' | 'assistant'
  /** The question it answers; '' where there was none. */
  readonly question: string
  readonly isCarried: boolean
}

export interface ModifiedFile {
  readonly path: string
  readonly how: 'written' | 'edited' | 'deleted' | 'moved'
  /** Where a moved file went: its folder, or its new name. */
  readonly to?: string | undefined
}

/** A command or tool call that changed something outside the conversation. */
export interface Change extends LedgerItem {
  /** What came back that later turns may need: a URL, an id, a commit; '' for nothing. */
  readonly result: string
  /** Must not be repeated blindly: push, publish, release, deploy, migration, deletion. */
  readonly isOnce: boolean
}

/** A failure that holds at the end (docs/spec/truth.md §2). */
export interface OpenError extends LedgerItem {
  /** The command, or the tool with its file. */
  readonly what: string
}

export interface OpenStep extends LedgerItem {
  /** `running`: under way; `request`: asked and not begun; `planned-earlier`: of the generation before. */
  readonly kind: 'request' | 'todo' | 'running' | 'announced' | 'proposal' | 'planned-earlier'
}

/** What came of one turn of the user's. */
export interface Outcome extends LedgerItem {
  /** Nothing was changed in the turn, and no number, link or id came of it: it was talked over. */
  readonly isTalk: boolean
  /** The request in few words; '' where the outcome comes from an earlier summary. */
  readonly ask: string
  readonly isCarried: boolean
}

export interface WorkState {
  readonly cwd: string
  readonly branch: string
  readonly lastCommit: string
  /** Commits that no later push carried out, as far as the region tells. */
  readonly unpushed: readonly string[]
  /** Files changed since the last commit, where the region commits or looks at git at all. */
  readonly uncommitted: number
  /** Processes started in the background. */
  readonly running: readonly string[]
  readonly pr: string
  /** Branch and processes come from an earlier generation. */
  readonly isLastSeen: boolean
}

/**
 * What holds at the end of a region (docs/spec/truth.md §1). The extractive summary, the audit, the fallback and the branch
 * summary read it; none judges for itself. Texts are quotes, not yet redacted.
 */
export interface Ledger {
  readonly goal: LedgerItem | null
  readonly asks: readonly Ask[]
  /** Rules in words of humans, and of humans alone. */
  readonly constraints: readonly LedgerItem[]
  /** What documents and the assistant said of the project's own rules. */
  readonly projectRules: readonly LedgerItem[]
  /** The user's and the assistant's, oldest first. */
  readonly decisions: readonly Decision[]
  readonly userDecisions: readonly Decision[]
  readonly links: readonly Named[]
  /** Names in code, files and commands that people and closing messages spoke of. */
  readonly names: readonly Named[]
  readonly files: { readonly read: readonly string[]; readonly modified: readonly ModifiedFile[] }
  readonly changes: readonly Change[]
  readonly openErrors: readonly OpenError[]
  /** The last calls when the region ends in the middle of the work, oldest first. */
  readonly lastSteps: readonly string[]
  /** The newest call that nothing answered; '' for none. */
  readonly interrupted: string
  readonly openSteps: readonly OpenStep[]
  /** The question that waits for an answer; null for none. */
  readonly question: { readonly by: 'user' | 'assistant'; readonly text: string } | null
  /** The last thing the assistant said, whole. */
  readonly lastWords: string
  /** The newest request was answered by a closing message. */
  readonly isFinished: boolean
  readonly outcomes: readonly Outcome[]
  /** What a turn that no message closed has brought so far, in the assistant's words. */
  readonly progress: readonly LedgerItem[]
  readonly state: WorkState
  /** Entries of the newest task list that are done. */
  readonly finishedTodos: readonly string[]
  /** What else earlier summaries held: finished work and lessons, oldest first. */
  readonly earlier: { readonly done: readonly string[]; readonly context: readonly string[] }
}

/** Where a region starts from. */
export interface Previous {
  /** The summary before it, whoever wrote it; '' for none. */
  readonly summary: string
  readonly durable: DurableLedger | null
}

/** What outlives any summary (docs/spec/truth.md §7). */
export interface DurableLedger {
  readonly goal: LedgerItem | null
  readonly constraints: readonly LedgerItem[]
  readonly decisions: readonly LedgerItem[]
  readonly links: readonly LedgerItem[]
}
