import { LINE, outcomeLine, VOLATILE_BEFORE_TURN } from './line-labels.ts'

const NEWEST = new RegExp(`^(- |\\d{1,2}\\. )${LINE.newest}(.*)$`)
const CAME_OF = new RegExp(`^(- (?:\\[x\\] )?|\\d{1,2}\\. )${LINE.cameOf}(.*)$`)

/**
 * A summary of ours in front of a turn that is told beside it: its newest request is an earlier one, and what waited for the
 * user or was next then has its answer in that turn (docs/spec/truth.md §5).
 */
export function asEarlier(summary: string): string {
  const lines = summary.split('\n')
  const newest = lines.map((line) => NEWEST.exec(line)?.[2]).find((text) => text !== undefined) ?? ''
  return lines
    .filter((line) => !VOLATILE_BEFORE_TURN.test(line))
    .map((line) => {
      const ask = NEWEST.exec(line)
      if (ask !== null) return `${ask[1]}${LINE.earlierAsk}${ask[2]}`
      const outcome = CAME_OF.exec(line)
      return outcome === null ? line : `${outcome[1]}${outcomeLine(newest, outcome[2] ?? '')}`
    })
    .join('\n')
}
