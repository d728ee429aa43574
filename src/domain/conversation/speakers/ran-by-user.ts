const RAN = /^Ran (?:`([^`\n]{1,2000})`|Python:)\n(?:```|\(no output\))/
const MOST_HEAD = 2_100
// bounded: the last 700 characters of a row
const END =
  /(?:\n```|\(no output\))(?:\n\n(?:(?:Command exited|Execution failed) with code -?\d{1,10}|\((?:command|execution) cancelled\)))?(?:\n\n\[Output truncated[^\n]{0,500}\])?$/
const MOST_END = 700

/**
 * The command of a `!command` of the user's, as pi, omp and we tell it: only where the row is that and nothing else, from the
 * command to the end of its output (docs/spec/hostile.md §4). Null for words.
 */
export function ranByUser(row: string): string | null {
  const ran = RAN.exec(row.slice(0, MOST_HEAD))
  return ran === null || !END.test(row.slice(-MOST_END)) ? null : (ran[1] ?? 'python')
}
