import type { Call, Conversation, ToolKind } from '../conversation/conversation.ts'
import { isRecord } from '../is-record.ts'
import { redact } from '../text/redact.ts'
import { collapsedLine } from './plan/focus.ts'

/** Heading of the facts that accompany every summary of a list. */
export const TOOL_FACTS_HEADING = '## Tool Calls On Record'

const PATHS = 'Paths: '
// The heading and the lines of the two kinds below it; what a model put between them ends the block.
const BLOCK = /^## Tool Calls On Record\n(?:(?:- |Paths: )[^\n]*(?:\n|$))*/m
const CHANGING: ReadonlySet<ToolKind> = new Set(['write', 'edit', 'run'])
const NAME_CHARS = 64
const MOST_PATHS = 12
const MOST_CALLS = 12
const ARGS_CHARS = 160
const SCANNED_CHARS = 20_000
/** Names of arguments that hold a place, the directory a command ran in included. */
const PLACE = /^(?:(?:\w{1,30}_)?(?:path|file|filename|workdir|cwd)|\w{0,30}(?:Path|File))$/
// A token begins the text or follows white space, a quote, a bracket or `=`; so neither `and/or` nor a URL's inside is one.
const PATH = /(?<![^\s`'"()[\]{}<>=])(?:~?\/|[A-Za-z]:\\)[^\s`'")\]}<>]{1,400}/g
const SEPARATOR = /[/\\.]/

/**
 * The summary with the calls it replaces beside it, as lines of their own: a summary swallows which file was written, and the
 * next turn writes it again (second seed). Lines of the earlier summary are carried on; newest last, all of it bounded.
 */
export function upsertToolFacts(summary: string, conversation: Conversation, previousSummary: string | null): string {
  const bare = summary.replace(BLOCK, '').trimEnd()
  const earlier = previousSummary === null ? [] : (BLOCK.exec(previousSummary)?.[0].split('\n').slice(1) ?? [])
  const lines = [...earlier.filter((line) => line.startsWith('- ')), ...callLines(conversation)].slice(-MOST_CALLS)
  const old =
    earlier
      .find((line) => line.startsWith(PATHS))
      ?.slice(PATHS.length)
      .split(', ') ?? []
  const paths = [...new Set([...old, ...collectPaths(conversation)])].slice(-MOST_PATHS)
  if (lines.length === 0) return bare
  return [`${bare}\n`, TOOL_FACTS_HEADING, ...lines, ...(paths.length === 0 ? [] : [PATHS + paths.join(', ')])].join(
    '\n',
  )
}

const callsIn = ({ turns }: Conversation): Call[] =>
  turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'call'))

/** Calls that changed something before those that only looked. Redacted before they are cut. */
function callLines(conversation: Conversation): string[] {
  const calls = callsIn(conversation)
  const changing = calls.filter((call) => CHANGING.has(call.tool))
  const shown = (changing.length === 0 ? calls : changing).slice(-MOST_CALLS)
  return shown.map(
    (call) =>
      `- ${collapsedLine(call.name, NAME_CHARS)}(${collapsedLine(redact(JSON.stringify(call.arguments).slice(0, SCANNED_CHARS)), ARGS_CHARS)})`,
  )
}

/** Up to 12 paths that are mentioned, arguments first, in order of appearance (docs/spec/lists.md §10). */
export function collectPaths(conversation: Conversation): string[] {
  const found = new Set<string>()
  for (const call of callsIn(conversation)) {
    if (found.size >= MOST_PATHS) break
    fromArguments(call.arguments, found)
  }
  for (const { parts } of conversation.turns) {
    for (const part of parts) {
      if (found.size >= MOST_PATHS) return [...found].slice(0, MOST_PATHS)
      if (part.kind === 'words' || part.kind === 'result') scan(part.text, found)
    }
  }
  return [...found].slice(0, MOST_PATHS)
}

function fromArguments(args: Call['arguments'], found: Set<string>): void {
  const stack: unknown[] = [args]
  while (stack.length > 0 && found.size < MOST_PATHS) {
    const value = stack.pop()
    if (typeof value === 'string') scan(value, found)
    else if (Array.isArray(value)) stack.push(...value.slice(0, 100).toReversed())
    else if (isRecord(value)) {
      for (const [key, item] of Object.entries(value).toReversed()) {
        if (PLACE.test(key) && typeof item === 'string' && item !== '' && item.length <= 400) found.add(redact(item))
        else stack.push(item)
      }
    }
  }
}

function scan(text: string, found: Set<string>): void {
  for (const match of text.slice(0, SCANNED_CHARS).matchAll(PATH)) {
    const path = match[0].replace(/(?<![.,:;])[.,:;]+$/, '')
    // `//host` is the inside of a URL; `/or` alone is not a path.
    if (path.startsWith('//') || !SEPARATOR.test(path.replace(/^(~?\/|[A-Za-z]:\\)/, ''))) continue
    found.add(redact(path))
    if (found.size >= MOST_PATHS) return
  }
}
