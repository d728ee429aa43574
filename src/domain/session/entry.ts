import { z } from 'zod'
import { messageSchema } from './message.ts'

/**
 * One line of a session file, all entry types in one loose shape (docs/spec/sessions.md §1): unknown types and fields are carried.
 * What each type must have beyond this is checked in `check-entries.ts`.
 */
export const rowSchema = z.looseObject({
  type: z.string().min(1).describe('session, message, compaction, branch_summary, custom_message, model_change …'),
  id: z.string().min(1).optional(),
  parentId: z.string().nullable().optional(),
  timestamp: z.unknown().optional(),
  version: z.unknown().optional(),
  message: messageSchema.optional(),
  summary: z.string().optional(),
  shortSummary: z.unknown().optional(),
  firstKeptEntryId: z.string().nullish(),
  firstKeptEntryIndex: z.unknown().optional(),
  tokensBefore: z.unknown().optional(),
  details: z.unknown().optional(),
  preserveData: z.unknown().optional(),
  fromExtension: z.unknown().optional(),
  fromHook: z.unknown().optional(),
  fromId: z.unknown().optional(),
  customType: z.unknown().optional(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  display: z.unknown().optional(),
  attribution: z.unknown().optional(),
  model: z.unknown().optional(),
  role: z.unknown().optional(),
  provider: z.unknown().optional(),
  modelId: z.unknown().optional(),
  thinkingLevel: z.unknown().optional(),
})

/** A line of the file: the header, a title line, or an entry. */
export type EntryRow = Readonly<z.infer<typeof rowSchema>>

/** A row that stands in the tree. */
export type Entry = EntryRow & { readonly id: string; readonly parentId: string | null }

/** Lines that describe the file and stand in no tree: the header, and the title slot newer omp writes before it. */
export function isFileLine(row: { readonly type: string }): boolean {
  return row.type === 'session' || row.type === 'title'
}

/** True for entries that put a message into the context (docs/spec/sessions.md §2). */
export function makesMessage(entry: EntryRow): boolean {
  if (entry.type === 'message') return entry.message !== undefined
  return entry.type === 'custom_message' || (entry.type === 'branch_summary' && !!entry.summary)
}

/** False when a hook or extension wrote the summary: its `details` are not ours to build on (docs/spec/compaction.md §8). */
export function isOwnSummary(entry: EntryRow): boolean {
  return entry.fromExtension !== true && entry.fromHook !== true
}
