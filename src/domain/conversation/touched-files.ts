import { commandOf } from './commands.ts'
import type { ParsedCall } from './parse-calls.ts'
import { PATH_ARGUMENTS, toolEffect } from './tool-names.ts'

/** Files one call names, by what it does to them. */
export interface Touched {
  readonly read: readonly string[]
  readonly modified: readonly string[]
}

const NONE: Touched = { read: [], modified: [] }
const SELECTOR = /:(?:raw|\d+(?:[-+,]\d*)*)$/
const PATCH_HEADER =
  /^\*\*\* (?:Add|Update|Delete) File: (.{1,400})$|^\*\*\* Move to: (.{1,400})$|^\+\+\+ (?:b\/)?([^\s\t]{1,400})/gm
const REDIRECT =
  /(?:^|[\s;&|])(?:cat|echo|printf|tee)\b[^\n|;&]{0,400}?(?:>>?|\btee(?:\s+-a)?)\s*["']?([\w@~./-]{1,300}\.[A-Za-z]\w{0,9})["']?/g
const IN_PLACE = /\bsed\s+-i\b[^\n;&|]{0,600}?\s["']?([\w@~./-]{1,300}\.[A-Za-z]\w{0,9})["']?\s*(?=$|[\n;&|])/g

/** The files a call reads or changes (docs/spec/compaction.md §8). Line selectors go, `scheme://` places are no files. */
export function touchedFiles(call: ParsedCall): Touched {
  const effect = toolEffect(call.name)
  if (effect === 'shell') return { read: [], modified: shellFiles(commandOf(call)) }
  if (effect === 'search' || effect === 'other') return NONE
  const paths = namedPaths(call.args)
  if (effect === 'read') return { read: paths, modified: [] }
  const patched = Object.values(call.args).flatMap((value) => (typeof value === 'string' ? patchedFiles(value) : []))
  const viewing = call.args['command'] === 'view'
  return viewing
    ? { read: paths, modified: [] }
    : { read: [], modified: unique([...paths, ...(effect === 'patch' ? patched : [])]) }
}

function shellFiles(command: string): string[] {
  if (command.length > 200_000) return []
  const patched = command.includes('*** ') ? patchedFiles(command) : []
  const head = command.slice(0, 8000)
  const redirected = [...head.matchAll(REDIRECT), ...head.matchAll(IN_PLACE)].map((match) => match[1] ?? '')
  return unique([...patched, ...redirected].filter((path) => isFile(path) && !path.startsWith('/dev/')))
}

function patchedFiles(text: string): string[] {
  const files = [...text.matchAll(PATCH_HEADER)].map((match) => (match[1] ?? match[2] ?? match[3] ?? '').trim())
  return files.filter((path) => path !== '' && path !== '/dev/null')
}

function namedPaths(args: Readonly<Record<string, unknown>>): string[] {
  const paths: string[] = []
  for (const name of PATH_ARGUMENTS) {
    const value = args[name]
    if (typeof value === 'string') {
      paths.push(value)
      break
    }
  }
  for (const name of ['paths', 'files', 'edits']) {
    const list = args[name]
    if (Array.isArray(list)) paths.push(...list.slice(0, 200).flatMap(pathOfItem))
  }
  return unique(paths.map((path) => path.trim().replace(SELECTOR, '')).filter(isFile))
}

function pathOfItem(item: unknown): string[] {
  if (typeof item === 'string') return [item]
  if (typeof item !== 'object' || item === null) return []
  const found = Object.entries(item).find(
    ([key, value]) => typeof value === 'string' && PATH_ARGUMENTS.some((name) => name === key),
  )
  return found === undefined ? [] : [String(found[1])]
}

const isFile = (path: string): boolean =>
  path !== '' && path.length <= 400 && !path.includes('\n') && !path.includes('://') && !path.endsWith('/')

const unique = (list: readonly string[]): string[] => [...new Set(list)]
