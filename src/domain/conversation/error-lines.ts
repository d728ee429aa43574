const EXIT_CODE =
  /(?:(?:command|process)? ?(?:exited|failed|finished|exit)(?: with)?(?: exit)?(?: code| status)|exit[_ ]?code["']?)[:=]?\s*(-?\d{1,4})\b|"exit_code":\s*(-?\d{1,4})|returncode>\s*(-?\d{1,4})/i
const NEAR = 400

/** The exit code a tool result tells, looked for at its two ends; null when it tells none. */
export function exitCodeOf(result: string): number | null {
  const ends = result.length > 2 * NEAR ? [result.slice(-NEAR), result.slice(0, NEAR)] : [result]
  for (const end of ends) {
    const match = EXIT_CODE.exec(end)
    if (match !== null) return Number(match[1] ?? match[2] ?? match[3])
  }
  return null
}

/** Shapes of lines that tell an error, most telling first. Only these count; a word "error" in a line does not. */
const SHAPES: readonly RegExp[] = [
  /^\s*(?:\w+\.)*\w*(?:Error|Exception|Failure)(?: \[\w+\])?: \S/,
  /\berror (?:TS|CS|E|C)\d{2,5}\b/,
  /^\s*error(?:\[E\d{4}\])?: \S/i,
  /^\s*(?:fatal|panic|FATAL|PANIC)(?: error)?: \S/,
  /^\s*(?:[\w./-]+:\d+(?::\d+)?:? )(?:fatal )?error:? \S/i,
  /^\s*(?:FAIL|FAILED|✗|✘|×|✖|❌|not ok \d+)[ :]\s*\S/,
  /^E {3,}\S/,
  /^\s*npm (?:ERR!|error) (?!A complete log|code|path|errno|syscall|command|location|workspace|Lifecycle)\S/,
  /: (?:command not found|No such file or directory|Permission denied|not found)\s*$/,
  /^\s*(?:ENOENT|EACCES|EADDRINUSE|ECONNREFUSED|ETIMEDOUT|EPERM)\b/,
  /^\s*(?:thread '.{1,80}' panicked|Segmentation fault|Killed|Aborted|Out of memory|Connection refused|Timed? ?out)\b/i,
  /^\s*(?:HTTP\/\d(?:\.\d)? |status:? |HTTP )?[45]\d\d (?:[A-Z][a-z]+|[A-Z ]{4,})/,
  /\b\d+ (?:failed|failing|errors?)\b(?!.{0,20}\b0 failed)/,
]
const SOURCE_LINE =
  /^\s*(?:\d+\s*[|:→]|[+-]\s|\/\/|#|\*|throw |raise |return |catch|const |let |if |case |assert|expect|console\.|print|log|<|\{|\})|[;{]\s*$|=>|^\s*["'`].*["'`],?$/
const ZERO = /\b0 (?:failed|failing|errors?)\b/
const MOST_LINES = 2000

/** Up to `most` lines of an output that tell its error, most telling first, in whole lines. */
export function errorLines(output: string, most: number): string[] {
  const lines = output.split('\n', MOST_LINES)
  const found: { line: string; rank: number; at: number }[] = []
  lines.forEach((raw, at) => {
    if (raw.length > 600) return
    const line = raw.trim()
    if (line.length < 6 || SOURCE_LINE.test(line) || ZERO.test(line)) return
    const rank = SHAPES.findIndex((shape) => shape.test(raw))
    if (rank >= 0) found.push({ line, rank, at })
  })
  found.sort((a, b) => a.rank - b.rank || a.at - b.at)
  const kept = new Map<string, { line: string; at: number }>()
  for (const each of found) {
    if (kept.size >= most) break
    if (!kept.has(each.line)) kept.set(each.line, each)
  }
  return [...kept.values()].sort((a, b) => a.at - b.at).map((each) => each.line)
}

const TOOL_FAILURE =
  /^\s*(?:<(?:tool_use_)?error>|error\b[:\s]|Error:|failed\b|failure\b|could not\b|cannot\b|can't\b|unable to\b|no such file|file not found|path not found|not found\b|permission denied|access denied|ENOENT|EACCES|EISDIR|invalid\b|validation (?:failed|error)|unknown tool|tool \S{1,60} not found|old_?(?:text|string|str)\b.{0,60}not|no (?:occurrence|changes)|found \d+ (?:matches|occurrences)|the (?:specified )?(?:old|text|string|file)\b.{0,80}(?:not|does not|doesn't)|string to replace not found|operation (?:aborted|cancelled)|aborted\b|timed out|command timed out|request was aborted|input validation|missing (?:required|argument))/i

/** Whether the result of a tool that is no shell says that the call failed. */
export function tellsFailure(result: string): boolean {
  return TOOL_FAILURE.test(result.slice(0, 400))
}
