import { isRecord } from '../is-record.ts'
import type { Conversation } from './conversation.ts'
import { tookEffect } from './results/result.ts'
import { cleanPath } from './tools/clean-path.ts'

/** The `details` of compaction and branch_summary entries, on the wire as they are. */
export interface FileLists {
  readonly readFiles: readonly string[]
  readonly modifiedFiles: readonly string[]
}

/**
 * Files that the calls read and modified, on top of earlier `details` (of our own summaries only; see `isOwnSummary`). Calls that
 * failed or were refused modified nothing (docs/spec/compaction.md §8); what was deleted is modified, too.
 */
export function fileLists(conversation: Conversation, earlier: readonly unknown[] = []): FileLists {
  const read = new Set<string>()
  const modified = new Set<string>()
  for (const details of earlier) {
    if (!isRecord(details)) continue
    addAll(read, details['readFiles'])
    addAll(modified, details['modifiedFiles'])
  }
  for (const { parts } of conversation.turns) {
    for (const part of parts) {
      if (part.kind !== 'result' || part.call === null) continue
      for (const { path, use, to } of part.call.paths) {
        if (use === 'read') read.add(path)
        else if (tookEffect(part)) modified.add(path).add(to ?? path)
      }
    }
  }
  return computeFileLists(read, modified)
}

/** Older agents stored paths with their selectors, so earlier lists are cleaned like new ones. */
function addAll(set: Set<string>, values: unknown): void {
  if (!Array.isArray(values)) return
  for (const path of values.map(cleanPath)) if (path !== null) set.add(path)
}

/** Sorted lists; a file that was modified is not listed as read (docs/spec/compaction.md §8). */
function computeFileLists(read: ReadonlySet<string>, modified: ReadonlySet<string>): FileLists {
  return { readFiles: [...read].filter((path) => !modified.has(path)).sort(), modifiedFiles: [...modified].sort() }
}
