import { redact } from '../facts/redact.ts'
import { toolEffect } from '../facts/tool-names.ts'
import { cutText } from './cut-text.ts'
import { oneLine } from './focus.ts'
import { callsOf, isObject, type Row, textOf } from './row.ts'

/** Heading of the facts that stand beside every summary of a list. */
export const TOOL_FACTS_HEADING = '## Tool Calls On Record'

const MOST_PATHS = 12
const MOST_CALLS = 12
const ARGS_CHARS = 160
const SCANNED_CHARS = 20_000
const PATH_FIELDS: ReadonlySet<string> = new Set([
  'path',
  'workdir',
  'file_path',
  'output_path',
  'filePath',
  'filename',
  'notebook_path',
])
// A token begins the text or follows white space, a quote, a bracket or `=`; so neither `and/or` nor a URL's inside is one.
const PATH = /(?<![^\s`'"()[\]{}<>=])(?:~?\/|[A-Za-z]:\\)[^\s`'")\]}<>]{1,400}/g
const SEPARATOR = /[/\\.]/

/**
 * Names, arguments and paths of the calls that a summary replaces, as lines of their own: a summary swallows which file was
 * written, and the next turn writes it again (second seed). '' when no tool was called. Redacted before it is cut.
 */
export function toolFacts(rows: readonly Row[]): string {
  const calls = rows.flatMap((row) => callsOf(row.message))
  if (calls.length === 0) return ''
  const changing = calls.filter((call) => ['write', 'edit', 'patch', 'shell'].includes(toolEffect(call.name)))
  const shown = (changing.length === 0 ? calls : changing).slice(-MOST_CALLS)
  const lines = shown.map((call) => `- ${call.name}(${factArguments(call.args)})`)
  const left = calls.length - shown.length
  const paths = collectPaths(rows)
  return [
    TOOL_FACTS_HEADING,
    ...lines,
    ...(left === 0 ? [] : [`- and ${left} more calls`]),
    ...(paths.length === 0 ? [] : [`Paths: ${paths.join(', ')}`]),
  ].join('\n')
}

/** Up to 12 paths the rows mention, arguments first, in order of appearance (hermes-spec §10). */
export function collectPaths(rows: readonly Row[]): string[] {
  const found = new Set<string>()
  for (const row of rows) {
    for (const call of callsOf(row.message)) fromArguments(call.args, found)
    if (found.size >= MOST_PATHS) break
  }
  for (const row of rows) {
    if (found.size >= MOST_PATHS) break
    scan(textOf(row.message.content), found)
  }
  return [...found].slice(0, MOST_PATHS)
}

function factArguments(args: string): string {
  return cutText(oneLine(redact(args.slice(0, SCANNED_CHARS)), ARGS_CHARS + 1), ARGS_CHARS)
}

function fromArguments(args: string, found: Set<string>): void {
  const stack: unknown[] = [parse(args)]
  while (stack.length > 0 && found.size < MOST_PATHS) {
    const value = stack.pop()
    if (typeof value === 'string') scan(value, found)
    else if (Array.isArray(value)) stack.push(...value.slice(0, 100).toReversed())
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value).toReversed()) {
        if (PATH_FIELDS.has(key) && typeof item === 'string' && item !== '' && item.length <= 400)
          found.add(redact(item))
        else stack.push(item)
      }
    }
  }
}

function scan(text: string, found: Set<string>): void {
  for (const match of text.slice(0, SCANNED_CHARS).matchAll(PATH)) {
    const path = match[0].replace(/[.,:;]+$/, '')
    // `//host` is the inside of a URL; `/or` alone is no path.
    if (path.startsWith('//') || !SEPARATOR.test(path.replace(/^(~?\/|[A-Za-z]:\\)/, ''))) continue
    found.add(redact(path))
    if (found.size >= MOST_PATHS) return
  }
}

function parse(args: string): unknown {
  try {
    return JSON.parse(args) as unknown
  } catch {
    return args
  }
}
