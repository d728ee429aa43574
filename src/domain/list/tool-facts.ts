import { type ToolEffect, toolEffect } from '../conversation/tool-names.ts'
import { callsOf, isObject, type Row, textOf } from '../dialects/row.ts'
import { redact } from '../text/redact.ts'
import { oneLine } from './plan/focus.ts'

/** Heading of the facts that stand beside every summary of a list. */
export const TOOL_FACTS_HEADING = '## Tool Calls On Record'

const PATHS = 'Paths: '
// The heading and the lines of the two kinds below it; what a model put between them ends the block.
const BLOCK = /^## Tool Calls On Record\n(?:(?:- |Paths: )[^\n]*(?:\n|$))*/m
const CHANGING: ReadonlySet<ToolEffect> = new Set(['write', 'edit', 'patch', 'shell'])
const NAME_CHARS = 64
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
 * The summary with the calls it replaces beside it, as lines of their own: a summary swallows which file was written, and the
 * next turn writes it again (second seed). Lines of the earlier summary are carried on; newest last, all of it bounded.
 */
export function upsertToolFacts(summary: string, rows: readonly Row[], previousSummary: string | null): string {
  const bare = summary.replace(BLOCK, '').trimEnd()
  const earlier = previousSummary === null ? [] : (BLOCK.exec(previousSummary)?.[0].split('\n').slice(1) ?? [])
  const lines = [...earlier.filter((line) => line.startsWith('- ')), ...callLines(rows)].slice(-MOST_CALLS)
  const old =
    earlier
      .find((line) => line.startsWith(PATHS))
      ?.slice(PATHS.length)
      .split(', ') ?? []
  const paths = [...new Set([...old, ...collectPaths(rows)])].slice(-MOST_PATHS)
  if (lines.length === 0) return bare
  return [`${bare}\n`, TOOL_FACTS_HEADING, ...lines, ...(paths.length === 0 ? [] : [PATHS + paths.join(', ')])].join(
    '\n',
  )
}

/** Calls that changed something before those that only looked. Redacted before they are cut. */
function callLines(rows: readonly Row[]): string[] {
  const calls = rows.flatMap((row) => callsOf(row.message))
  const changing = calls.filter((call) => CHANGING.has(toolEffect(call.name)))
  const shown = (changing.length === 0 ? calls : changing).slice(-MOST_CALLS)
  return shown.map(
    (call) => `- ${oneLine(call.name, NAME_CHARS)}(${oneLine(redact(call.args.slice(0, SCANNED_CHARS)), ARGS_CHARS)})`,
  )
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
