import { z } from 'zod'
import type { Fault } from '../errors.ts'
import { isRecord } from './content.ts'
import { isFileLine, type Row, rowSchema } from './entry.ts'
import { isOldFile } from './migrate.ts'

interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** More than this many faults say nothing new, and a 64 MiB body could hold millions. */
const FAULT_LIMIT = 200

function must(row: Row, name: 'summary' | 'content' | 'message' | 'firstKeptEntryId'): Issue[] {
  return row[name] === undefined || row[name] === null
    ? [{ path: [name], message: `Required in a ${row.type} entry` }]
    : []
}

function contentIssues(row: Row, isOld: boolean): Issue[] {
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
      return []
  }
}

/** An unknown type without id and parent is a note of a newer agent about the file; everything else hangs in the tree. */
function treeIssues(row: Row): Issue[] {
  const issues: Issue[] = []
  if (row.id === undefined) issues.push({ path: ['id'], message: 'Required: a non-empty string' })
  if (row.parentId === undefined)
    issues.push({ path: ['parentId'], message: 'Required: the id of the parent, or null' })
  return issues
}

function issuesOf(value: unknown, isOld: boolean): readonly Issue[] {
  const parsed = rowSchema.safeParse(value)
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => ({
      path: path.map((key) => (typeof key === 'symbol' ? '' : key)),
      message,
    }))
  }
  const row = parsed.data
  if (isFileLine(row)) return []
  const inTree = isOld ? [] : treeIssues(row)
  return [...inTree, ...contentIssues(row, isOld)]
}

/** All faults of the rows of a session, paths relative to the list (`[17, 'id']`). The rows themselves are used as they came. */
export function entryIssues(rows: readonly unknown[]): readonly Issue[] {
  const isOld = isOldFile(rows.filter(isRecord))
  const issues: Issue[] = []
  for (const [index, value] of rows.entries()) {
    for (const issue of issuesOf(value, isOld)) issues.push({ path: [index, ...issue.path], message: issue.message })
    if (issues.length >= FAULT_LIMIT) break
  }
  return issues
}

/** The same as faults with JSON pointers under `prefix`, for bodies that pass no request schema (ndjson). */
export function entryFaults(rows: readonly unknown[], prefix = '/entries'): readonly Fault[] {
  const token = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1')
  return entryIssues(rows).map(({ path, message }) => ({ path: [prefix, ...path.map(token)].join('/'), message }))
}

/** The `entries` of a request. Checked, not copied: zod would rebuild every object and shuffle its keys. */
export const entriesSchema = z
  .array(z.unknown())
  .check((context) => {
    for (const { path, message } of entryIssues(context.value)) {
      context.issues.push({ code: 'custom', path: [...path], message, input: context.value })
    }
  })
  .describe('All entries of the session file, header allowed, branches in any order')
