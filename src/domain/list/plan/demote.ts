import { isObject, jsonText } from '../../dialects/row.ts'
import { cutText } from '../../text/cut-text.ts'

const COMMAND_CHARS = 80
const CODE_CHARS = 60
const VALUE_CHARS = 40
const NAME_CHARS = 64
const EXIT_CODE = /"exit_code"\s*:\s*(-?\d+)|\bexit(?:ed with)? code:? (-?\d+)/i
const TOTAL_COUNT = /"total_count"\s*:\s*(\d+)/

type Arguments = Readonly<Record<string, unknown>>

/** Families of tools, told by their names with everything but letters dropped. */
const FAMILIES: readonly (readonly [RegExp, (args: Arguments, text: string) => string])[] = [
  [/^(terminal|shell|bash|exec|execcommand|runcommand|localshell|executebash|runterminalcmd)$/, terminalLine],
  [/^(readfile|read|view|viewfile|openfile)$/, (args) => `${pathOf(args)}${offsetOf(args)}`],
  [/^(writefile|write|createfile|create)$/, (args) => `${pathOf(args)}, ${lineCount(jsonText(args['content']))} lines`],
  [/^(search|searchfiles|grep|glob|find|ripgrep)$/, searchLine],
  [
    /^(patch|applypatch|edit|strreplace|multiedit)$/,
    (args) => [short(args['mode'], VALUE_CHARS), pathOf(args)].filter(Boolean).join(' '),
  ],
  [/^(websearch|webfetch|webextract|web|fetch|browse)$/, webLine],
  [/^(executecode|code|python|codeexecution)$/, (args) => short(args['code'], CODE_CHARS)],
]

/**
 * One informative line for a tool result that is to go: what was asked and how big the answer was (hermes-spec §4).
 * Never throws; every line ends alike, so that a second pass knows it.
 */
export function demotedLine(name: string, args: string, text: string): string {
  const parsed = parseArguments(args)
  const key = name.toLowerCase().replace(/[^a-z]/g, '')
  const family = FAMILIES.find(([pattern]) => pattern.test(key))
  const detail = (family === undefined ? defaultLine(parsed) : family[1](parsed, text)).trim()
  return `[${short(name, NAME_CHARS)}]${detail === '' ? '' : ` ${detail}`} (${text.length} chars)`
}

/** True for a line that demotedLine made, here or in an earlier pass. */
export function isDemotedLine(text: string): boolean {
  return text.length < 400 && text.startsWith('[') && text.includes(' chars)')
}

function parseArguments(args: string): Arguments {
  try {
    const parsed: unknown = JSON.parse(args)
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

function terminalLine(args: Arguments, text: string): string {
  const command = short(args['command'] ?? args['cmd'], COMMAND_CHARS)
  const found = EXIT_CODE.exec(text)
  const exit = found?.[1] ?? found?.[2]
  return [`ran \`${command}\``, ...(exit === undefined ? [] : [`exit ${exit}`]), `${lineCount(text)} lines`].join(', ')
}

function searchLine(args: Arguments, text: string): string {
  const pattern = short(args['pattern'] ?? args['query'], VALUE_CHARS)
  const count = TOTAL_COUNT.exec(text)?.[1]
  return [`"${pattern}"`, `in ${pathOf(args) || '.'}`, ...(count === undefined ? [] : [`${count} matches`])].join(' ')
}

function webLine(args: Arguments): string {
  const urls: readonly unknown[] = Array.isArray(args['urls']) ? args['urls'] : [args['url']]
  const first = isObject(urls[0]) ? urls[0]['url'] : urls[0]
  const more = urls.length > 1 ? ` (+${urls.length - 1} more)` : ''
  return short(args['query'] ?? first, COMMAND_CHARS) + more
}

function defaultLine(args: Arguments): string {
  return Object.entries(args)
    .slice(0, 2)
    .map(([key, value]) => `${short(key, VALUE_CHARS)}=${short(value, VALUE_CHARS)}`)
    .join(', ')
}

function pathOf(args: Arguments): string {
  return short(args['path'] ?? args['file_path'] ?? args['filePath'] ?? args['filename'], COMMAND_CHARS)
}

function offsetOf(args: Arguments): string {
  const offset = args['offset']
  return typeof offset === 'number' || typeof offset === 'string' ? ` from ${short(offset, VALUE_CHARS)}` : ''
}

function lineCount(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** One line of at most so many characters; values of any type. */
function short(value: unknown, chars: number): string {
  return cutText(
    cutText(jsonText(value), chars * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    chars,
  )
}
