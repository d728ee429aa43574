import type { ShellCommand } from './command-family.ts'
import { ANSWERS_BY_ONE, EXPLORES } from './command-table.ts'

const INTERRUPTED: ReadonlySet<number> = new Set([130, 137, 141, 143])

/**
 * Whether an exit code is an answer and no error: 1 of `grep`, `test`, `diff`, `which`; a file that an exploring `ls` or `cat`
 * did not find; interrupts and closed pipes. The code is that of the last command (of a pipe: its last).
 */
export function isBenignExit(commands: readonly ShellCommand[], code: number): boolean {
  if (code === 0 || INTERRUPTED.has(code)) return true
  const last = commands.findLast((command) => command.words.length > 0)
  if (last === undefined) return false
  const program = last.words[0] ?? ''
  const answers = ANSWERS_BY_ONE.has(last.name) || ANSWERS_BY_ONE.has(program)
  if (code === 1) return answers && failedPart(commands) === last
  return code === 2 && EXPLORES.has(program) && last.after !== '&&' && failedPart(commands) === last
}

const SEARCHES_ITS_INPUT = /^(?:[ef]?grep|rg|ag|ack|diff|cmp)$/

/**
 * The command of a failed line to whose name the outcome goes (docs/spec/truth.md §2): of a list the last one; before a pipe
 * that only looks its source, since `npm test | tail` fails by `npm test` under `pipefail`; of `a && b` the part that works.
 */
export function failedPart(all: readonly ShellCommand[]): ShellCommand | undefined {
  const commands = all.filter((command) => command.words.length > 0)
  const last = commands.at(-1)
  if (last === undefined || last.after === '' || last.after === ';' || last.after === '||') return last
  if (last.after === '|' && (SEARCHES_ITS_INPUT.test(last.words[0] ?? '') || !last.looks)) return last
  const from = commands.findLastIndex(
    (command) => command.after === '' || command.after === ';' || command.after === '||',
  )
  const chain = commands.slice(Math.max(0, from)).filter((command) => !command.isScaffolding && command.after !== '|')
  // `cd x && grep y`: only the last could have been reached by a chain whose first parts never fail.
  return chain.findLast((command) => !command.looks) ?? chain.at(-1) ?? last
}
