import type { RegionCall } from './region.ts'
import { commandOf, isTester } from './shell-command.ts'

const EXIT =
  /(?:exited with code|exit(?:ed)? (?:code|status)|exit_code"?|returncode|Exit code)["'>:=\s]{0,4}(-?\d{1,4})/gi
const EXIT_LINE = /^\s*(?:\(?command exited with|exit(?:ed)? (?:code|status)|<\/?returncode|Exit code)/i
/** Lines that name their error; the known shapes only, since "error" alone is a word like any other. */
const STRONG =
  /(?:^|[\s(>:])(?:[\w.]{0,60}(?:Error|Exception)(?: \[[^\]\n]{1,40}\])?:|error(?:\[\w{1,12}\]| [A-Z]{1,4}\d{2,6})?:|fatal(?: error)?:|panic:|thread '[^'\n]{1,80}' panicked|npm (?:ERR!|error) [^\n]|E {3}\S|FAIL(?:ED)?[ :]|✗ |✘ |× |ERROR[ :]|ERR_\w+|undefined reference|ld: |Segmentation fault|BUILD FAILED)/
const WEAK =
  /command not found|no such file or directory|permission denied|cannot (?:find|open|read|resolve|connect)|could not|unable to|not found|E(?:NOENT|ACCES|CONNREFUSED|ADDRINUSE|PERM|EXIST|TIMEDOUT)\b|timed? ?out|refused|denied|failed|failure|invalid|unexpected|rejected/i
const SOURCE =
  /(?:[{;]|=>)\s*$|^\s*(?:\/\/|\/\*|\* |#include|import |export |const |let |return |throw |\d{1,6}[:|→\t])/
const TRACEBACK = 'Traceback (most recent call last)'
const PYTHON_END = /^(?:[\w.]{1,80}(?:Error|Exception|Exit|Interrupt|Warning))\b/
const LOOKED_AT = 16_000

/** The last exit code a result names, null when it names none. */
export function exitCodeOf(result: string): number | null {
  const edges = result.length > 2 * LOOKED_AT ? `${result.slice(0, 200)}\n${result.slice(-1_000)}` : result
  let code: number | null = null
  for (const match of edges.matchAll(EXIT)) code = Number(match[1])
  return code
}

/** The line that says what went wrong in a failed call, null when the call did not fail. Never a line of source code. */
export function errorLineOf(call: RegionCall): string | null {
  const code = exitCodeOf(call.result)
  const command = commandOf(call)
  if (code === 0) return null
  if (!call.failed && code === null && !(command !== '' && call.result.includes(TRACEBACK))) return null
  const lines = headAndTail(call.result).split('\n')
  if (isTester(command) && (code === 1 || (code === null && lines.every((line) => !STRONG.test(line))))) return null
  return clean(pick(lines))
}

function headAndTail(text: string): string {
  return text.length > 2 * LOOKED_AT ? `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}` : text
}

function pick(lines: readonly string[]): string {
  const told = lines.filter((line) => line.trim() !== '' && !EXIT_LINE.test(line) && !SOURCE.test(line))
  if (lines.some((line) => line.includes(TRACEBACK))) {
    // Python says what happened in the last line, everything else in the first.
    const end = told.findLast((line) => PYTHON_END.test(line))
    if (end !== undefined) return end
  }
  return (
    told.find((line) => STRONG.test(line)) ??
    told.find((line) => WEAK.test(line)) ??
    told[0] ??
    lines.find((line) => line.trim() !== '') ??
    ''
  )
}

function clean(line: string): string | null {
  // Colour codes of terminals, with or without the escape character that cleaning replaced.
  const bare = line
    .slice(0, 2_000)
    .replace(/[\u001b\uFFFD]?\[[\d;]{1,12}m/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return bare === '' ? null : bare
}
