import { failureLines } from '../../conversation/results/error-lines.ts'

const MARKUP = /<\/?(?:returncode|output|exit_code|error|tool_use_error|stdout|stderr|result|warning)>/gi
const EXIT =
  /^\(?(?:command|process)? ?(?:exited|exit|failed)(?: with)?(?: exit)?(?: code| status)?:? ?-?\d{0,4}\)?\.?$/i
const SAYS_NOTHING =
  /^(?:\(?no output\)?|\(?empty\)?|interrupted.{0,40}|\[?request interrupted.{0,60}|sibling tool call errored|<\/?[\w-]{1,40}>|command (?:aborted|cancell?ed|timed out)\.?|npm (?:err!|error)(?: (?:code \S+|a complete log.*|path .*|command .*|errno .*|lifecycle.*|workspace.*|location.*))?|error:?|failed\.?|\d{1,6}|error: process completed with exit code \d+\.?|node\.js v[\d.]+|make(?:\[\d+\])?: \*\*\* .{1,100} error \d+)$/i
const PATH_ALONE = /^[\w@~.+-]*(?:\/[\w@.+-]+)+(?::\d+){0,2}:?$|^[\w@-]+\.[a-z]{1,5}$/i
const SOURCE =
  /^\d{1,6}\s*[|:→]|^\s*(?:\/\/|\/\*|\*\s|#include|import\s|export\s|const\s|let\s|var\s|return\b|throw\s|def\s|class\s|function\s|if\s*\(|for\s*\()|[;{]\s*$|=>|^\s*[\^~]{1,200}\s*$|^at\s.{1,300}:\d+/

/** The line that says what went wrong, whole; '' where none does (docs/spec/truth.md §2). */
export function informativeLine(output: string): string {
  return mostTelling(failureLines(output.replace(MARKUP, '\n'), 6).filter(says))
}

const COUNTS = /^\s*(?:FAIL|FAILED|✗|✘|×|✖|❌|not ok)\b|\b\d+ (?:failed|failing|errors?)\b/

/** The cause rather than its count: "expected 2 to be 1" before "1 failed". */
function mostTelling(lines: readonly string[]): string {
  return lines.find((line) => !COUNTS.test(line)) ?? lines[0] ?? ''
}

function says(raw: string): boolean {
  const line = raw.trim()
  return line.length > 3 && !SAYS_NOTHING.test(line) && !EXIT.test(line) && !PATH_ALONE.test(line) && !SOURCE.test(line)
}
