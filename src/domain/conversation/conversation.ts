import type { ShellCommand } from './shell/command-family.ts'

/**
 * One conversation, whatever it came as: session entries, a message list, a prompt, a branch path. Facts, transcript,
 * pruning, extractive summary, audit, fallback and coverage read only this value, so that no two of them can disagree about
 * what happened (docs/spec/reading.md §1).
 */
export interface Conversation {
  readonly turns: readonly Turn[]
}

/**
 * Who really speaks: a row of role `user` that an agent wrote is `machine`, and so is a command the user ran: its text, the call
 * and its result stand in one turn.
 */
export type Speaker = 'user' | 'assistant' | 'tool' | 'machine'

/** What one speaker said or did without a break. One row of the caller's may hold several turns. */
export interface Turn {
  readonly speaker: Speaker
  /** Positions, in what the caller sent, of the rows it was read from; rising. */
  readonly rows: readonly number[]
  readonly parts: readonly Part[]
}

export type Part = Words | Machine | Call | Result | Media | Thinking | Summary | Opaque

/** Words of a person or of the assistant, wrappers of the agent taken off. */
export interface Words {
  readonly kind: 'words'
  readonly text: string
  /** Where a user's words stood inside a result: the answer of an ask tool, the reason of a rejection. Told with the result. */
  readonly inside?: 'answer' | 'rejection' | undefined
}

/** Text that a program wrote in somebody's name: reminders, notices, templates, outputs (docs/spec/reading.md §2). */
export interface Machine {
  readonly kind: 'machine'
  readonly text: string
}

/** What a tool does, whatever it is called. */
export type ToolKind = 'read' | 'write' | 'edit' | 'run' | 'search' | 'ask' | 'delegate' | 'web' | 'other'

/** A file a call names and what the call does to it. `to`: where a moved file went. */
export interface PathUse {
  readonly path: string
  readonly use: 'read' | 'added' | 'updated' | 'deleted' | 'moved'
  readonly to?: string | undefined
}

export interface Call {
  readonly kind: 'call'
  /** '' where the dialect has none. */
  readonly id: string
  readonly tool: ToolKind
  readonly name: string
  /** A bare string argument stands under `input`. */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly paths: readonly PathUse[]
  /** The shell command it runs; '' where it runs none. */
  readonly command: string
  /** The simple commands of that line, in order. */
  readonly commands: readonly ShellCommand[]
}

/** `ok` and `failed` are judged by the one rule of `results/status.ts`; `unknown`: stopped by hand, nothing says how it ended. */
export type ResultStatus = 'ok' | 'failed' | 'denied' | 'interrupted' | 'unknown'

export interface Result {
  readonly kind: 'result'
  readonly callId: string
  /** The call it answers; null for an orphan. The same object as in the turn of the call. */
  readonly call: Call | null
  readonly status: ResultStatus
  /** The dialect itself marks it as an error. */
  readonly isError: boolean
  readonly text: string
  readonly exitCode: number | null
  readonly media: readonly Media[]
}

export interface Media {
  readonly kind: 'media'
  readonly media: 'image' | 'document' | 'audio' | 'video'
  /** A URL or file name to tell it by; '' where there is none. Never its data. */
  readonly name: string
}

export interface Thinking {
  readonly kind: 'thinking'
  readonly text: string
}

/** A summary of earlier history, ours, a provider's or another agent's. */
export interface Summary {
  readonly kind: 'summary'
  readonly text: string
  /** As it stood in its row, with the sentences and tags around it; absent where there are none. */
  readonly framed?: string | undefined
}

/** A part nobody here knows: kept byte for byte where it is kept, shown by its readable strings, weighed by its bytes. */
export interface Opaque {
  readonly kind: 'opaque'
  readonly type: string
  /** Its readable strings, at most 500 characters. */
  readonly text: string
}
