import type { Call, ResultStatus } from '../conversation.ts'
import { onlyLooks, type ShellCommand } from '../shell/command-family.ts'
import { ANSWERS_BY_ONE } from '../shell/command-table.ts'
import { failedPart, isBenignExit } from '../shell/failed-part.ts'
import { hasErrorLine } from './error-lines.ts'
import { endsWithExit } from './exit-code.ts'
import { type Refusal, refusalOf } from './refusal.ts'

export interface StatusFacts {
  readonly call: Call | null
  readonly text: string
  /** The dialect itself marks the result as an error. */
  readonly isError: boolean
  readonly exitCode: number | null
}

/** Stands for the result of a call that has none. */
export const INTERRUPTED = 'interrupted, no result'

const INTERRUPTED_RESULT =
  /^\s{0,8}(?:[\w.:/-]{1,120}: interrupted, no result$|No result: the call was interrupted|\[?Request interrupted by user|\[?(?:Tool|Command|Operation|Execution|Request)(?: \S{1,40})? (?:was )?(?:aborted|interrupted|cancelled|canceled)\b|aborted by user|user aborted|<tool_use_error>(?:Cancelled|Sibling tool call errored)|Sibling tool call (?:failed|errored))/i
const STOPPED = /(?:command|operation|request|execution|user) (?:was )?(?:aborted|cancelled|canceled|interrupted)/i
const NOTHING_FOUND = /^\s{0,8}(?:no (?:files|matches|results|lines)\b|0 (?:matches|results)|found 0\b)/i
const TOOL_FAILURE =
  /^\s{0,8}(?:<(?:tool_use_)?error>|error\b[:\s]|failed\b|failure\b|traceback \(|apply_patch verification failed|exit code: [1-9]|\{\s?"error"\s?:\s?["{[\d]|could not\b|cannot\b|can't\b|unable to\b|no such file|file not found|path not found|not found\b|permission denied|access denied|ENOENT|EACCES|EISDIR|invalid\b|validation (?:failed|error)|unknown tool|tool \S{1,60} not found|old_?(?:text|string|str)\b.{0,60}not|no (?:occurrence|changes)|found \d{1,7} (?:matches|occurrences)|the (?:specified )?(?:old|text|string|file)\b.{0,80}(?:not|does not|doesn't)|string to replace not found|operation (?:aborted|cancelled)|aborted\b|timed out|command timed out|request was aborted|input validation|missing (?:required|argument))/i
/** What these return is somebody else's text: only a short answer may speak for the tool itself. */
const SHORT_ANSWER = 300

/** Whether the text of an unmarked result says that its call failed. */
function tellsFailure({ call, text }: StatusFacts): boolean {
  if (!TOOL_FAILURE.test(text.slice(0, 400))) return false
  return !isForeign(call) || text.length <= SHORT_ANSWER
}

/** A refusal of the user's. A command that ended has run, whatever it printed: then nobody refused it (docs/spec/hostile.md §3). */
export function refusalIn({ call, text }: Pick<StatusFacts, 'call' | 'text'>): Refusal | null {
  const refusal = refusalOf(text)
  return refusal !== null && call?.tool === 'run' && endsWithExit(text) ? null : refusal
}

const isForeign = (call: Call | null): boolean =>
  call !== null && (call.tool === 'read' || call.tool === 'search' || call.tool === 'web')

/**
 * What came of a call (docs/spec/reading.md §1, docs/spec/truth.md §2), the one rule: a refusal of the user's first, then what was stopped, the
 * exit code, the mark of the dialect, and for what nobody marks the shapes of failure.
 */
export function statusOf(facts: StatusFacts): ResultStatus {
  const { call, text, isError, exitCode } = facts
  if ((isError || !isForeign(call)) && refusalIn({ call, text }) !== null) return 'denied'
  if (INTERRUPTED_RESULT.test(text.slice(0, 400))) return 'interrupted'
  if (call?.tool === 'run') return ofCommand(call.commands, facts)
  if (exitCode !== null && exitCode !== 0 && isError) return 'failed'
  return (isError || tellsFailure(facts)) && !NOTHING_FOUND.test(text) ? 'failed' : 'ok'
}

function ofCommand(commands: readonly ShellCommand[], { text, isError, exitCode }: StatusFacts): ResultStatus {
  if (exitCode !== null && exitCode !== 0) return isBenignExit(commands, exitCode) ? 'ok' : 'failed'
  if (exitCode === 0 && !hidesExit(commands)) return 'ok'
  if (isError) return STOPPED.test(text.slice(-200)) ? 'interrupted' : answersQuietly(commands, text) ? 'ok' : 'failed'
  // The end of a long output, where the exit code stands, is often cut off; then the lines themselves have to tell.
  return !onlyLooks(commands) && hasErrorLine(text) ? 'failed' : 'ok'
}

/** `npm test | tail`, `make || true`, `npm test; echo done`: the exit code is not that of the work. */
function hidesExit(commands: readonly ShellCommand[]): boolean {
  const last = commands.at(-1)
  return commands.length > 1 && last !== undefined && last.after !== '&&' && (last.looks || last.isScaffolding)
}

function answersQuietly(commands: readonly ShellCommand[], text: string): boolean {
  const part = failedPart(commands)
  if (part === undefined) return false
  return (ANSWERS_BY_ONE.has(part.name) || ANSWERS_BY_ONE.has(part.words[0] ?? '')) && !hasErrorLine(text)
}
