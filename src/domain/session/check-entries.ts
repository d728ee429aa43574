import { z } from 'zod'
import { isRecord } from '../is-record.ts'
import { type EntryRow, isFileLine, rowSchema } from './entry.ts'
import { isOldFile } from './migrate.ts'

interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** More than this many faults say nothing new, and a 64 MiB body could hold millions. */
const FAULT_LIMIT = 200

/** Types whose absence from the tree would lose conversation. */
const TREE_TYPES: ReadonlySet<string> = new Set([
  'message',
  'compaction',
  'branch_summary',
  'custom_message',
  'reset_boundary',
])

const NO_ISSUES: readonly Issue[] = []

function must(row: EntryRow, name: 'summary' | 'content' | 'message' | 'firstKeptEntryId'): readonly Issue[] {
  const isThere = row[name] !== undefined && row[name] !== null
  return isThere ? NO_ISSUES : [{ path: [name], message: `Required in a ${row.type} entry` }]
}

function contentIssues(row: EntryRow, isOld: boolean): readonly Issue[] {
  switch (row.type) {
    case 'message':
      if (row.message?.role === 'toolResult' && typeof row.message.toolCallId !== 'string') {
        return [{ path: ['message', 'toolCallId'], message: 'Required in a toolResult message' }]
      }
      return must(row, 'message')
    case 'compaction':
      return isOld ? must(row, 'summary') : [...must(row, 'summary'), ...must(row, 'firstKeptEntryId')]
    case 'branch_summary':
      return must(row, 'summary')
    case 'custom_message':
      return must(row, 'content')
    default:
      return NO_ISSUES
  }
}

/** An unknown type without id and parent is a note of a newer agent about the file; everything else hangs in the tree. */
function treeIssues(row: EntryRow): readonly Issue[] {
  if (row.id !== undefined && row.parentId !== undefined) return NO_ISSUES
  if (row.id === undefined && row.parentId === undefined && !TREE_TYPES.has(row.type)) return NO_ISSUES
  const issues: Issue[] = []
  if (row.id === undefined) issues.push({ path: ['id'], message: 'Required: a non-empty string' })
  if (row.parentId === undefined)
    issues.push({ path: ['parentId'], message: 'Required: the id of the parent, or null' })
  return issues
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isTextOrNone = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'
const isContentOrNone = (value: unknown): boolean => isTextOrNone(value) || Array.isArray(value)

function isPlainMessage(message: unknown): boolean {
  if (message === undefined) return true
  if (!isRecord(message)) return false
  const { role, content, toolCallId, summary } = message
  return isName(role) && isContentOrNone(content) && isTextOrNone(toolCallId) && isTextOrNone(summary)
}

/**
 * The same demands as `rowSchema` without its cost: zod rebuilds every object, which takes as long as parsing the body did.
 * Only what fails here is put to zod, for its messages; a test holds the two together.
 */
export function isPlainRow(value: unknown): value is EntryRow {
  if (!isRecord(value)) return false
  const { type, id, parentId, message, summary, firstKeptEntryId, content } = value
  return (
    isName(type) &&
    (id === undefined || isName(id)) &&
    isTextOrNone(parentId) &&
    isPlainMessage(message) &&
    (summary === undefined || typeof summary === 'string') &&
    isTextOrNone(firstKeptEntryId) &&
    isContentOrNone(content)
  )
}

function shapeIssues(value: unknown): readonly Issue[] {
  const issues = rowSchema.safeParse(value).error?.issues ?? []
  return issues.map(({ path, message }) => ({ path: path.filter((key) => typeof key !== 'symbol'), message }))
}

function issuesOf(value: unknown, isOld: boolean): readonly Issue[] {
  if (!isPlainRow(value)) return shapeIssues(value)
  if (isFileLine(value)) return []
  const inTree = isOld ? NO_ISSUES : treeIssues(value)
  const inContent = contentIssues(value, isOld)
  return inTree.length === 0 ? inContent : [...inTree, ...inContent]
}

/** All faults of the rows of a session, paths relative to the list (`[17, 'id']`). The rows themselves are used as they came. */
function entryIssues(rows: readonly unknown[]): readonly Issue[] {
  const isOld = isOldFile(rows.filter(isRecord))
  const issues: Issue[] = []
  for (const [index, value] of rows.entries()) {
    for (const issue of issuesOf(value, isOld)) issues.push({ path: [index, ...issue.path], message: issue.message })
    if (issues.length >= FAULT_LIMIT) break
  }
  return issues
}

const { $schema: _dialect, ...rowDocument } = z.toJSONSchema(rowSchema, { io: 'input' })

/** The `entries` of a request. Checked, not copied: zod would rebuild every object and shuffle its keys. */
export const entriesSchema = z
  .array(z.unknown())
  .check((context) => {
    for (const { path, message } of entryIssues(context.value)) {
      context.issues.push({ code: 'custom', path: [...path], message, input: context.value })
    }
  })
  .meta({ description: 'All entries of the session file, header allowed, branches in any order', items: rowDocument })
