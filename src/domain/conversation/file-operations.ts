import { answeredCallOf, isRecord, stringOf, toolCallsOf } from '../session/content.ts'
import type { AgentMessage } from '../session/message.ts'
import { argumentPaths, cleanPath, envelopePaths, patchPaths, patchTexts } from './file-paths.ts'
import { toolEffect } from './tool-names.ts'

/** One tool call of any agent, with what became of it. */
export interface ToolUse {
  readonly name: string
  /** Parsed arguments; a bare string where the tool takes one (apply_patch). */
  readonly args: unknown
  /** True when its result says that it failed. */
  readonly isFailed: boolean
}

/** The `details` of compaction and branch_summary entries, on the wire as they are. */
export interface FileLists {
  readonly readFiles: readonly string[]
  readonly modifiedFiles: readonly string[]
}

/** Tools that read and edit under one name say which by a `command` argument. */
const READ_COMMANDS: ReadonlySet<string> = new Set(['view', 'read', 'cat', 'open'])

function isReadCommand(args: unknown): boolean {
  return isRecord(args) && READ_COMMANDS.has(stringOf(args['command']))
}

interface Touched {
  readonly read: readonly string[]
  readonly modified: readonly string[]
}

const NONE: Touched = { read: [], modified: [] }

function modifiedBy(args: unknown, fromPatch: boolean): readonly string[] {
  const named = argumentPaths(args)
  return fromPatch || named.length === 0 ? [...named, ...patchTexts(args).flatMap(patchPaths)] : named
}

function touchedBy({ name, args }: ToolUse): Touched {
  switch (toolEffect(name)) {
    case 'read':
      return { read: argumentPaths(args), modified: [] }
    case 'write':
    case 'edit':
      return isReadCommand(args)
        ? { read: argumentPaths(args), modified: [] }
        : { read: [], modified: modifiedBy(args, false) }
    case 'patch':
      return { read: [], modified: modifiedBy(args, true) }
    case 'shell':
      // Some agents apply patches through a heredoc of the shell.
      return { read: [], modified: patchTexts(args).flatMap(envelopePaths) }
    default:
      return NONE
  }
}

/** Older agents stored paths with their selectors, so earlier lists are cleaned like new ones. */
function addAll(set: Set<string>, values: unknown): void {
  if (!Array.isArray(values)) return
  for (const path of values.map(cleanPath)) if (path !== null) set.add(path)
}

/** Sorted lists; a file that was modified is not listed as read (omp-spec §9). */
export function computeFileLists(read: ReadonlySet<string>, modified: ReadonlySet<string>): FileLists {
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
}

/**
 * Files that the calls read and modified, on top of earlier `details` (of our own summaries only; see `isOwnSummary`).
 * Calls that failed modified nothing (session-compaction §8).
 */
export function fileLists(uses: Iterable<ToolUse>, earlier: readonly unknown[] = []): FileLists {
  const read = new Set<string>()
  const modified = new Set<string>()
  for (const details of earlier) {
    if (!isRecord(details)) continue
    addAll(read, details['readFiles'])
    addAll(modified, details['modifiedFiles'])
  }
  for (const use of uses) {
    const touched = touchedBy(use)
    for (const path of touched.read) read.add(path)
    if (!use.isFailed) for (const path of touched.modified) modified.add(path)
  }
  return computeFileLists(read, modified)
}

/** Tool calls of session messages, each with the fate its result tells; ids may come again in later turns. */
export function sessionToolUses(messages: readonly AgentMessage[]): readonly ToolUse[] {
  const uses: { name: string; args: unknown; isFailed: boolean }[] = []
  const open = new Map<string, { isFailed: boolean }>()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) {
      const use = { name: call.name, args: call.arguments, isFailed: false }
      uses.push(use)
      open.set(call.id, use)
    }
    if (message.role !== 'toolResult' || message.isError !== true) continue
    const use = open.get(answeredCallOf(message))
    if (use !== undefined) use.isFailed = true
  }
  return uses
}
