import type { Entry, EntryRow } from './entry.ts'
import { isFileLine } from './entry.ts'
import { migrate } from './migrate.ts'

/** A session file in memory: all its lines in order, and those of them that stand in the tree. */
export interface Session {
  readonly rows: readonly EntryRow[]
  readonly entries: readonly Entry[]
  readonly byId: ReadonlyMap<string, Entry>
  readonly duplicateIds: ReadonlySet<string>
  readonly warnings: readonly string[]
}

function isEntry(row: EntryRow): row is Entry {
  return !isFileLine(row) && row.id !== undefined && row.parentId !== undefined
}

/**
 * Session of rows that passed `entriesSchema`. Duplicate ids are an error only on the path that is asked for
 * (`pathTo`); here they are a warning.
 */
export function readSession(checked: readonly unknown[]): Session {
  const rows = migrate(checked as readonly EntryRow[])
  const entries = rows.filter(isEntry)
  const byId = new Map<string, Entry>()
  const duplicateIds = new Set<string>()
  for (const entry of entries) {
    if (byId.has(entry.id)) duplicateIds.add(entry.id)
    else byId.set(entry.id, entry)
  }
  const warnings =
    duplicateIds.size === 0 ? [] : [`${duplicateIds.size} entry ids occur more than once outside the asked path`]
  return { rows, entries, byId, duplicateIds, warnings }
}
