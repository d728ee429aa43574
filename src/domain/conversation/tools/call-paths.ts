import { isRecord } from '../../is-record.ts'
import type { Call, PathUse } from '../conversation.ts'
import { shellFiles } from '../shell/shell-files.ts'
import { cleanPath, cleanPaths } from './clean-path.ts'
import { patchFiles } from './patch-files.ts'
import { tableName, takesPatch } from './tool-kinds.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Argument names that hold the path of a file, in order of preference. */
const PATH_ARGUMENTS = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'filename',
  'file',
  'target_file',
  'TargetFile',
  'notebook_path',
  'target_notebook',
  'absolute_path',
  'AbsolutePath',
  'relative_path',
  'relative_workspace_path',
  'fsPath',
] as const
/** Arguments that hold several, as strings or as objects with a path each. */
const LIST_ARGUMENTS = ['paths', 'files', 'file_paths', 'filePaths', 'edits', 'operations', 'changes'] as const
/** Arguments a patch stands in. */
const PATCH_ARGUMENTS = [
  'input',
  'patch',
  'diff',
  'patchText',
  'patch_text',
  'content',
  'cmd',
  'command',
  'script',
] as const
/** Tools that read and edit under one name say which by a `command` argument. */
const VIEWING: ReadonlySet<unknown> = new Set(['view', 'read', 'cat', 'open'])
const CREATING: ReadonlySet<unknown> = new Set(['create', 'create_file', 'write'])
const DELETING: ReadonlySet<unknown> = new Set(['delete', 'delete_file', 'remove'])
const DELETES = /^(?:delete|remove)|delete$/
const MOVES = /^(?:move|rename)/
const COPIES = /^copy/
const MOST_LISTED = 500

/** The path that an argument of that call names first, cleaned; '' where it names none. */
export function namedPath(args: Arguments): string {
  for (const name of PATH_ARGUMENTS) {
    const path = cleanPath(args[name])
    if (path !== null) return path
  }
  return ''
}

/** Files a call names, each with what it does to them (docs/spec/reading.md §1). */
export function callPaths(call: Pick<Call, 'tool' | 'name' | 'command' | 'commands'>, args: Arguments): PathUse[] {
  switch (call.tool) {
    case 'read':
      return named(args, 'read')
    case 'write':
      return named(args, 'added')
    case 'edit':
      return edited(call.name, operationOf(args))
    case 'run':
      return call.command === '' ? [] : shellFiles(call)
    default:
      return []
  }
}

/** `apply_patch_call` items hold theirs in `operation`. */
function operationOf(args: Arguments): Arguments {
  const inner = args['operation']
  return isRecord(inner) ? inner : args
}

function edited(name: string, args: Arguments): PathUse[] {
  const way = args['command'] ?? args['type']
  if (VIEWING.has(way)) return named(args, 'read')
  const does = tableName(name)
  if (DELETING.has(way) || DELETES.test(does)) return named(args, 'deleted')
  if (MOVES.test(does)) return movedBy(args)
  if (COPIES.test(does))
    return movedBy(args).flatMap(({ to }) => (to === undefined ? [] : [{ path: to, use: 'added' }]))
  const paths = named(args, CREATING.has(way) ? 'added' : 'updated')
  if (paths.length > 0 && !takesPatch(name)) return paths
  const patched = PATCH_ARGUMENTS.flatMap((argument) => patchTexts(args[argument])).flatMap(patchFiles)
  return patched.length > 0
    ? [...paths.filter(({ path }) => !patched.some((file) => file.path === path)), ...patched]
    : paths
}

function movedBy(args: Arguments): PathUse[] {
  const from = cleanPath(args['source'] ?? args['from'] ?? args['old_path'] ?? args['oldPath'] ?? args['path'])
  const to = cleanPath(args['destination'] ?? args['to'] ?? args['new_path'] ?? args['newPath'])
  return from === null ? [] : [{ path: from, use: 'moved', to: to ?? undefined }]
}

function named(args: Arguments, use: PathUse['use']): PathUse[] {
  const first = namedPath(args)
  if (!LIST_ARGUMENTS.some((name) => Array.isArray(args[name]))) return first === '' ? [] : [{ path: first, use }]
  const values: unknown[] = [first]
  for (const name of LIST_ARGUMENTS) {
    const list = args[name]
    const items: readonly unknown[] = Array.isArray(list) ? list.slice(0, MOST_LISTED) : []
    for (const item of items) values.push(isRecord(item) ? namedPath(item) : item)
  }
  return cleanPaths(values).map((path) => ({ path, use }))
}

function patchTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.slice(0, 20).flatMap(patchTexts) : []
}
