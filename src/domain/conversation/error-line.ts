import { commandOf, isTester } from './shell-command.ts'
import type { RegionCall } from './tool-event.ts'

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
const COLOUR = /[\u001b\uFFFD]?\[[\d;]{1,12}m/g
const WORD = /\p{L}{2}/u
// Banners of build tools and rulers say nothing about an error.
const DECORATION = /^\s*(?:> |=+ |-{3,}|Debugger attached|Waiting for the debugger|Node\.js v\d)/
// The user or the agent stopped it; nothing is wrong with the work itself.
const STOPPED =
  /^(?:The user doesn't want|<tool_use_error>|(?:Command|Operation|Tool execution) (?:was )?(?:aborted|cancelled|interrupted)|\[?Request interrupted)/
/** Looking for something that is not there blocks nobody. */
const LOOKING = /^(?:ls|cat|stat|head|tail|find|rg|e?grep|wc|which|sed|file): /
const LOOKED_AT = 16_000
const LONGEST_LINE = 2_000
const SHORT_RESULT = 3

/** The last exit code a result names, null when it names none. */
export function exitCodeOf(result: string): number | null {
  const edges = result.length > 2 * LOOKED_AT ? `${result.slice(0, 200)}\n${result.slice(-1_000)}` : result
  let code: number | null = null
  for (const match of edges.matchAll(EXIT)) code = Number(match[1])
  return code
}

/**
 * The line that says what went wrong in a failed call, null when it did not fail or only looked for something that is not
 * there. Never a line of source code; `exit code N` when no line tells.
 */
export function errorLineOf(call: RegionCall): string | null {
  const code = exitCodeOf(call.result)
  const command = commandOf(call)
  if (code === 0) return null
  if (!call.failed && code === null && !(command !== '' && call.result.includes(TRACEBACK))) return null
  const lines = headAndTail(call.result).split('\n').map(clean)
  if (isTester(command) && (code === 1 || (code === null && !lines.some((line) => STRONG.test(line))))) return null
  const line = pick(lines)
  if (LOOKING.test(line) || STOPPED.test(line)) return null
  if (line !== '') return line
  return code === null ? (lines.find((each) => WORD.test(each)) ?? null) : `exit code ${code}`
}

function headAndTail(text: string): string {
  return text.length > 2 * LOOKED_AT ? `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}` : text
}

function pick(lines: readonly string[]): string {
  const told = lines.filter(
    (line) => WORD.test(line) && !EXIT_LINE.test(line) && !SOURCE.test(line) && !DECORATION.test(line),
  )
  if (lines.some((line) => line.includes(TRACEBACK))) {
    // Python says what happened in the last line, everything else in the first.
    const end = told.findLast((line) => PYTHON_END.test(line))
    if (end !== undefined) return end
  }
  const named = told.find((line) => STRONG.test(line)) ?? told.find((line) => WEAK.test(line))
  return named ?? (told.length <= SHORT_RESULT ? told[0] : undefined) ?? ''
}

/** Without the colour codes of terminals, whose escape character may have been replaced already. */
function clean(line: string): string {
  return line.slice(0, LONGEST_LINE).replace(COLOUR, '').trimEnd()
}
