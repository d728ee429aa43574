/** Shapes of lines that tell an error, most telling first. Only these count; a word "error" in a line does not. */
const SHAPES: readonly RegExp[] = [
  /^\s{0,40}(?:[\w.]{1,80}\.)?\w{0,60}(?:Error|Exception|Failure)(?: \[\w{1,40}\])?: \S/,
  /\berror (?:TS|CS|E|C)\d{2,5}\b/,
  /^\s{0,40}error(?:\[E\d{4}\])?: \S/i,
  /^\s{0,40}(?:fatal|panic|FATAL|PANIC)(?: error)?: \S/,
  /^\s{0,40}(?:[\w./-]{1,200}:\d{1,7}(?::\d{1,7})?:? )(?:fatal )?error:? \S/i,
  /^\s{0,40}(?:FAIL|FAILED|✗|✘|×|✖|❌|not ok \d+)[ :]\s?\S/,
  /^E {3,10}\S/,
  /^\s{0,40}npm (?:ERR!|error) (?!A complete log|code|path|errno|syscall|command|location|workspace|Lifecycle)\S/,
  /: (?:command not found|No such file or directory|Permission denied|not found)\s?$/,
  /^\s{0,40}(?:ENOENT|EACCES|EADDRINUSE|ECONNREFUSED|ETIMEDOUT|EPERM)\b/,
  /^\s{0,40}(?:thread '.{1,80}' panicked|Segmentation fault|Killed\b|Aborted\b|Out of memory|Connection refused|Timed? ?out\b|BUILD FAILED|ld: |undefined reference|ERROR[ :]\S)/i,
  /^\s{0,40}(?:HTTP\/\d(?:\.\d)? |status:? |HTTP )?[45]\d\d (?:[A-Z][a-z]|[A-Z ]{4})/,
  /\b\d{1,7} (?:failed|failing|errors?)\b/,
]
/** What stands in every line of one of the shapes: all other lines are passed over with one look at the whole. */
const LIKELY =
  /err|exception|fail|fatal|panic|[✗✘×✖❌]|not ok|E {3}|not found|no such|denied|ENOENT|EACCES|EADDRINUSE|ETIMEDOUT|EPERM|segmentation|killed|abort|out of memory|refused|timed? ?out|ld: |undefined ref|[45]\d\d [A-Z ]/gi
/** Asked only of what is known to have failed. */
const WEAK =
  /command not found|no such file or directory|permission denied|cannot (?:find|open|read|resolve|connect)|could not|unable to|not found|E(?:NOENT|ACCES|CONNREFUSED|ADDRINUSE|PERM|EXIST|TIMEDOUT)\b|timed? ?out|refused|denied|failed|failure|invalid|unexpected|rejected|already exists|conflict/i
const SOURCE_LINE =
  /^\s{0,80}(?:\d{1,7}\s?[|:→]|[+-]\s|\/\/|#|\*|throw |raise |return |catch|const |let |import |export |if |case |assert|expect|console\.|print|log|<|\{|\})|[;{]\s?$|=>|^\s{0,80}["'`].{0,580}["'`],?$/
const ZERO = /\b0 (?:failed|failing|errors?)\b/
// Banners of build tools, rulers and what the tool itself says about the exit tell nothing about an error.
const DECORATION =
  /^\s{0,40}(?:> |=+ |-{3,}|Debugger attached|Waiting for the debugger|Node\.js v\d|\(?command exited with|exit(?:ed)? (?:code|status)|<\/?returncode|Exit code|Output:|Wall time|Process exited|error: script "[^"]{1,60}" exited|\(no output\))/i
const TRACEBACK = 'Traceback (most recent call last)'
const PYTHON_END = /^(?:[\w.]{1,80}(?:Error|Exception|Exit|Interrupt|Warning))\b/
const COLOR = /[\u001b\uFFFD]?\[[\d;]{1,12}m/g
const WORD = /\p{L}{2}/u
const LONGEST_LINE = 600
const MOST_LINES = 2000
const EDGE = 64_000
const SHORT_RESULT = 3

/** Up to `most` lines of an output that tell its error by their shape, in whole lines, most telling chosen, in their order. */
export function errorLines(output: string, most: number): string[] {
  const found: { line: string; rank: number; at: number }[] = []
  let at = 0
  for (const raw of likelyLines(output)) {
    const line = withoutColor(raw)
    const rank = rankOf(line)
    if (rank >= 0) found.push({ line: line.trim(), rank, at })
    at += 1
  }
  const end = output.includes(TRACEBACK) ? found.findLast(({ line }) => PYTHON_END.test(line)) : undefined
  // Python says what happened in the last line of a traceback, everything else in the first.
  if (end !== undefined) end.rank = -1
  found.sort((a, b) => a.rank - b.rank || a.at - b.at)
  const kept = new Map<string, { line: string; at: number }>()
  for (const each of found) {
    if (kept.size >= most) break
    if (!kept.has(each.line)) kept.set(each.line, each)
  }
  return [...kept.values()].sort((a, b) => a.at - b.at).map((each) => each.line)
}

/** Whether an output has a line that tells an error by its shape. */
export function hasErrorLine(output: string): boolean {
  for (const raw of likelyLines(output)) if (rankOf(withoutColor(raw)) >= 0) return true
  return false
}

/** The lines that may be of one of the shapes, in order. */
function* likelyLines(output: string): Generator<string> {
  const text = edgesOf(output)
  LIKELY.lastIndex = 0
  for (let match = LIKELY.exec(text); match !== null; match = LIKELY.exec(text)) {
    const end = text.indexOf('\n', match.index)
    const next = end < 0 ? text.length : end
    yield text.slice(text.lastIndexOf('\n', match.index) + 1, next)
    LIKELY.lastIndex = next
  }
}

/** How telling a line is, 0 the most; -1: it tells no error. */
function rankOf(raw: string): number {
  if (raw.length > LONGEST_LINE) return -1
  const line = raw.trim()
  if (line.length < 6 || SOURCE_LINE.test(line) || ZERO.test(line)) return -1
  return SHAPES.findIndex((shape) => shape.test(raw))
}

/**
 * Lines that say what went wrong in an output that is known to have failed: those of a known shape, else the first that reads
 * like an error, else the last one of a few. [] when none is informative.
 */
export function failureLines(output: string, most: number): string[] {
  const shaped = errorLines(withoutCut(output), most)
  if (shaped.length > 0) return shaped
  const told = linesOf(output)
    .map(withoutColor)
    .filter(
      (line) => line.length <= LONGEST_LINE && WORD.test(line) && !DECORATION.test(line) && !SOURCE_LINE.test(line),
    )
    .map((line) => line.trim())
  const line = told.find((each) => WEAK.test(each)) ?? (told.length <= SHORT_RESULT ? told[0] : told.at(-1))
  return line === undefined ? [] : [line]
}

/** Head and tail of a long output. */
const edgesOf = (output: string): string =>
  output.length > 2 * EDGE ? `${output.slice(0, EDGE)}\n${output.slice(-EDGE)}` : output

function linesOf(output: string): string[] {
  const lines = edgesOf(output).split('\n')
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES / 2), ...lines.slice(-MOST_LINES / 2)] : lines
}

/** Colors of terminals off, whose escape character may have been replaced already. */
function withoutColor(line: string): string {
  return line.includes('[') && line.length <= LONGEST_LINE ? line.replace(COLOR, '') : line
}

const CUT_MARK = '\n\n[... '

/** Without the half lines on both sides of the mark that a serializer puts where it cut a result (docs/spec/compaction.md §6). */
function withoutCut(result: string): string {
  const at = result.indexOf(CUT_MARK)
  if (at < 0) return result
  const end = result.indexOf('\n\n', at + CUT_MARK.length)
  const next = end < 0 ? -1 : result.indexOf('\n', end + 2)
  return result.slice(0, result.lastIndexOf('\n', at - 1) + 1) + (next < 0 ? '' : result.slice(next + 1))
}
