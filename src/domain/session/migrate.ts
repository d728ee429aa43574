import { type EntryRow, isFileLine } from './entry.ts'
import type { AgentMessage } from './message.ts'

type LooseRow = Readonly<Record<string, unknown>>

const isTreeRow = (row: LooseRow): boolean => typeof row['type'] !== 'string' || !isFileLine({ type: row['type'] })

/** True for files of format v1: no version (or 1) in the header, and entries without ids (docs/spec/sessions.md §1). */
export function isOldFile(rows: readonly LooseRow[]): boolean {
  const header = rows.find((row) => row['type'] === 'session')
  const version = header?.['version']
  if (version !== undefined && version !== null && version !== 1) return false
  const first = rows.find(isTreeRow)
  return first !== undefined && first['id'] === undefined && first['parentId'] === undefined
}

/** v1 ids are the place in the file as eight hex digits, so that two reads of one file agree (the real agent rolls dice). */
const idOf = (index: number): string => index.toString(16).padStart(8, '0')

function chained(rows: readonly EntryRow[]): EntryRow[] {
  let parentId: string | null = null
  return rows.map((row, index) => {
    if (isFileLine(row)) return row
    const entry: EntryRow = { ...row, id: idOf(index), parentId }
    parentId = idOf(index)
    return row.type === 'compaction' ? withFirstKept(entry, rows) : entry
  })
}

/** `firstKeptEntryIndex` counts all objects of the file, the header being 0; a header as target means its first entry. */
function withFirstKept(entry: EntryRow, rows: readonly EntryRow[]): EntryRow {
  const { firstKeptEntryIndex: index, ...rest } = entry
  if (typeof index !== 'number') return entry
  let target = index
  for (let row = rows[target]; row !== undefined && isFileLine(row); row = rows[target]) target += 1
  return { ...rest, firstKeptEntryId: idOf(target) }
}

function renamed(row: EntryRow): EntryRow {
  if (row.message?.role !== 'hookMessage') return row
  const message: AgentMessage = { ...row.message, role: 'custom' }
  return { ...row, message }
}

/** Rows in today's form: v1 gets ids, parents and firstKeptEntryId, v2's hookMessage becomes custom. Makes no change in place. */
export function migrate(rows: readonly EntryRow[]): readonly EntryRow[] {
  const chain = isOldFile(rows) ? chained(rows) : rows
  return chain.some((row) => row.message?.role === 'hookMessage') ? chain.map(renamed) : chain
}
