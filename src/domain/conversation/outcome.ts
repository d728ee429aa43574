import { isBenignExit, onlyLooks } from './command-kinds.ts'
import { errorLines, exitCodeOf, tellsFailure } from './error-lines.ts'
import type { ToolEffect } from './tool-names.ts'

/** What came of a call. `unknown` when the transcript has no result for it. */
export interface Outcome {
  readonly state: 'ok' | 'failed' | 'unknown'
  readonly exitCode: number | null
  /** Lines that tell the error, whole, most telling ones only. */
  readonly errors: readonly string[]
}

interface Facts {
  readonly effect: ToolEffect
  readonly command: string
  readonly result: string
  readonly isError: boolean
  readonly missing: boolean
}

const MOST_ERRORS = 3
const NOTHING_FOUND = /^\s*(?:no (?:files|matches|results|lines)\b|0 (?:matches|results))/i
const STOPPED = /(?:command|operation|request|execution|user) (?:was )?(?:aborted|cancelled|canceled|interrupted)/i

/** Judges a result: exit code first, then the serialiser's error label, then known error shapes of things that were run. */
export function outcomeOf({ effect, command, result, isError, missing }: Facts): Outcome {
  if (missing) return { state: 'unknown', exitCode: null, errors: [] }
  if (effect !== 'shell') {
    const failed = (isError || tellsFailure(result)) && !NOTHING_FOUND.test(result)
    return { state: failed ? 'failed' : 'ok', exitCode: null, errors: failed ? firstLines(result) : [] }
  }
  const exitCode = exitCodeOf(result)
  if (exitCode !== null && isBenignExit(command, exitCode)) return { state: 'ok', exitCode, errors: [] }
  const looking = onlyLooks(command)
  // The end of a long output, where the exit code stands, is often cut off; then the lines themselves have to tell.
  const failed = exitCode !== null || isError || (!looking && errorLines(result, 1).length > 0)
  if (!failed) return { state: 'ok', exitCode, errors: [] }
  // Stopped by hand or by a time limit: nothing is wrong with the command.
  if (exitCode === null && STOPPED.test(result.slice(-200))) return { state: 'unknown', exitCode, errors: [] }
  const lines = errorLines(withoutCut(result), MOST_ERRORS)
  return { state: 'failed', exitCode, errors: lines.length > 0 ? lines : lastLines(result) }
}

const CUT_MARK = '\n\n[... '

/** Without the half lines on both sides of the mark that a serialiser puts where it cut a result (docs/spec/sessions.md §8). */
function withoutCut(result: string): string {
  const at = result.indexOf(CUT_MARK)
  if (at < 0) return result
  const end = result.indexOf('\n\n', at + CUT_MARK.length)
  const next = end < 0 ? -1 : result.indexOf('\n', end + 2)
  return result.slice(0, result.lastIndexOf('\n', at - 1) + 1) + (next < 0 ? '' : result.slice(next + 1))
}

function firstLines(result: string): string[] {
  return result
    .split('\n', 8)
    .map((line) => line.trim())
    .filter((line) => line.length > 3 && line.length <= 400)
    .slice(0, 1)
}

const EXIT_LINE = /^Node\.js v\d|exit(?:ed)?(?: with)?[ _]?(?:code|status)/i

function lastLines(result: string): string[] {
  const lines = result
    .trimEnd()
    .split('\n')
    .slice(-12)
    .map((line) => line.trim())
  return lines.filter((line) => line.length > 3 && line.length <= 300 && !EXIT_LINE.test(line)).slice(-1)
}
