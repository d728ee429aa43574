import { LINE, outcomeLine, VOLATILE_BEFORE_TURN } from './line-labels.ts'

const NEWEST = new RegExp(`^(- |\\d{1,2}\\. )${LINE.newest}(.*)$`)
const CAME_OF = new RegExp(`^(- (?:\\[x\\] )?|\\d{1,2}\\. )${LINE.cameOf}(.*)$`)

/**
 * A summary of ours in front of a turn that has a summary of its own: its newest request is an earlier one, and what waited for the
 * user or was next then has its answer in that turn (docs/spec/truth.md §5).
 */
export function asEarlier(summary: string): string {
  const lines = summary.split('\n')
  const newest = lines.map((line) => NEWEST.exec(line)?.[2]).find((text) => text !== undefined) ?? ''
  return lasting(lines)
    .map((line) => {
      const ask = NEWEST.exec(line)
      if (ask !== null) return `${ask[1]}${LINE.earlierAsk}${ask[2]}`
      const outcome = CAME_OF.exec(line)
      return outcome === null ? line : `${outcome[1]}${outcomeLine(newest, outcome[2] ?? '')}`
    })
    .join('\n')
}

/** Without the entries that the turn has settled, nor the further lines of their quotations. */
function lasting(lines: readonly string[]): string[] {
  let isSettled = false
  return lines.filter((line, at) => {
    const goesOn = isSettled && (line === '' ? lines[at + 1] : line)?.startsWith('  ') === true
    isSettled = VOLATILE_BEFORE_TURN.test(line) || goesOn
    return !isSettled
  })
}
