import type { Call } from '../../conversation/conversation.ts'
import { exitCodeOf } from '../../conversation/results/exit-code.ts'
import { namedPath } from '../../conversation/tools/call-paths.ts'
import { jsonText } from '../../dialects/row.ts'
import { isRecord } from '../../is-record.ts'
import { cutText } from '../../text/cut-text.ts'

const COMMAND_CHARS = 80
const CODE_CHARS = 60
const VALUE_CHARS = 40
const NAME_CHARS = 64
const TOTAL_COUNT = /"total_count"\s*:\s*(\d+)/

/**
 * One informative line for a tool result that is to go: what was asked and how big the answer was (docs/spec/lists.md §4). Never
 * throws; every line ends alike, so that a second pass knows it. `call`: null for an orphan.
 */
export function demotedLine(call: Call | null, text: string): string {
  const detail = call === null ? '' : detailOf(call, text).trim()
  return `[${short(call?.name ?? 'tool', NAME_CHARS)}]${detail === '' ? '' : ` ${detail}`} (${text.length} chars)`
}

/** True for a line that demotedLine made, here or in an earlier pass. */
export function isDemotedLine(text: string): boolean {
  return text.length < 400 && text.startsWith('[') && text.includes(' chars)')
}

function detailOf(call: Call, text: string): string {
  const { tool, arguments: args } = call
  switch (tool) {
    case 'run':
      return typeof args['code'] === 'string' ? short(args['code'], CODE_CHARS) : commandLine(call, text)
    case 'read':
      return `${pathOf(call)}${offsetOf(call)}`
    case 'write':
      return `${pathOf(call)}, ${lineCount(jsonText(args['content']))} lines`
    case 'search':
      return searchLine(call, text)
    case 'edit':
      return [short(args['mode'], VALUE_CHARS), pathOf(call)].filter(Boolean).join(' ')
    case 'web':
      return webLine(call)
    default:
      return defaultLine(call)
  }
}

function commandLine({ command }: Call, text: string): string {
  const exit = exitCodeOf(text)
  return [
    `ran \`${short(command, COMMAND_CHARS)}\``,
    ...(exit === null ? [] : [`exit ${exit}`]),
    `${lineCount(text)} lines`,
  ].join(', ')
}

function searchLine(call: Call, text: string): string {
  const pattern = short(call.arguments['pattern'] ?? call.arguments['query'], VALUE_CHARS)
  const count = TOTAL_COUNT.exec(text)?.[1]
  return [`"${pattern}"`, `in ${pathOf(call) || '.'}`, ...(count === undefined ? [] : [`${count} matches`])].join(' ')
}

function webLine({ arguments: args }: Call): string {
  const urls: readonly unknown[] = Array.isArray(args['urls']) ? args['urls'] : [args['url']]
  const first = isRecord(urls[0]) ? urls[0]['url'] : urls[0]
  const more = urls.length > 1 ? ` (+${urls.length - 1} more)` : ''
  return short(args['query'] ?? first, COMMAND_CHARS) + more
}

function defaultLine({ arguments: args }: Call): string {
  return Object.entries(args)
    .slice(0, 2)
    .map(([key, value]) => `${short(key, VALUE_CHARS)}=${short(value, VALUE_CHARS)}`)
    .join(', ')
}

function pathOf(call: Call): string {
  return short(call.paths[0]?.path ?? namedPath(call.arguments), COMMAND_CHARS)
}

function offsetOf({ arguments: args }: Call): string {
  const offset = args['offset']
  return typeof offset === 'number' || typeof offset === 'string' ? ` from ${short(offset, VALUE_CHARS)}` : ''
}

function lineCount(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** One line of at most the given characters; values of any type. */
function short(value: unknown, chars: number): string {
  return cutText(
    cutText(jsonText(value), chars * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    chars,
  )
}
