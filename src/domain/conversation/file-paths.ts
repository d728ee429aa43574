import { isRecord } from '../session/content.ts'
import { PATH_ARGUMENTS } from './tool-names.ts'

/** Longer strings are no paths, whatever argument they stand in. */
const PATH_LIMIT = 1024

/** What read tools let an agent put behind a path: `:50-200`, `:12`, `:50+20`, `:5-16,960-973`, `:raw` (omp-spec §15). */
const SELECTOR = /:(?:raw|\d[\d,+-]*)$/i
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const CONTROL = /[\u0000-\u001f\u007f]/

/** Arguments that hold several paths, as strings or as objects with a path each. */
const LIST_ARGUMENTS = ['paths', 'files', 'file_paths', 'filePaths'] as const

/** Arguments a patch stands in when it is no bare string. */
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

const PATCH_HEADER = /^\*\*\* (?:Update File|Add File|Delete File|Move to): (.+)$/gm
const DIFF_HEADER = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/gm
/** omp's line-anchored edits name each file on a line of its own. */
const ANCHOR_HEADER = /^§(.+)$/gm

/** The path without selectors, or null for what names no file: blank, an address, something with control characters. */
export function cleanPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > PATH_LIMIT) return null
  let path = value.trim()
  // `file:12:raw` has two; `C:\x` has none, since a drive is followed by no digit alone.
  for (let stripped = path.replace(SELECTOR, ''); stripped !== path; stripped = path.replace(SELECTOR, ''))
    path = stripped
  return path === '' || SCHEME.test(path) || CONTROL.test(path) ? null : path
}

function firstPath(args: Readonly<Record<string, unknown>>): string | null {
  for (const name of PATH_ARGUMENTS) {
    const path = cleanPath(args[name])
    if (path !== null) return path
  }
  return null
}

/** Paths that the arguments of a call name, without looking into patches. */
export function argumentPaths(args: unknown): readonly string[] {
  if (!isRecord(args)) return []
  const paths = [firstPath(args)]
  for (const name of LIST_ARGUMENTS) {
    const list = args[name]
    if (!Array.isArray(list)) continue
    for (const item of list) paths.push(isRecord(item) ? firstPath(item) : cleanPath(item))
  }
  return paths.filter((path) => path !== null)
}

/** The text a patch may stand in: the arguments themselves when they are a string, else the usual fields. */
export function patchTexts(args: unknown): readonly string[] {
  if (typeof args === 'string') return [args]
  if (Array.isArray(args)) return args.flatMap(patchTexts)
  if (!isRecord(args)) return []
  return PATCH_ARGUMENTS.flatMap((name) =>
    args[name] === undefined || isRecord(args[name]) ? [] : patchTexts(args[name]),
  )
}

function matches(text: string, header: RegExp): readonly string[] {
  return Array.from(text.matchAll(header), (match) => cleanPath(match[1])).filter((path) => path !== null)
}

/** Paths in the headers of an `apply_patch` envelope. */
export function envelopePaths(text: string): readonly string[] {
  return text.includes('*** ') ? matches(text, PATCH_HEADER) : []
}

/** Paths in the headers of any patch: envelope, unified diff, line-anchored edit. */
export function patchPaths(text: string): readonly string[] {
  const envelope = envelopePaths(text)
  if (envelope.length > 0) return envelope
  if (text.startsWith('§') || text.includes('\n§')) return matches(text, ANCHOR_HEADER)
  return text.includes('+++ ') ? matches(text, DIFF_HEADER).filter((path) => path !== '/dev/null') : []
}
