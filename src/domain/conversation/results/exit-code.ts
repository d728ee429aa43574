const CODE = '(-?\\d{1,4})\\b'
/** How a tool heads its answer: at the start of one of the first lines. */
const HEADER = new RegExp(
  `^\\s{0,8}[("'{<]{0,3}(?:exit[ _]?code|exit status|(?:process|command|shell|script)(?: \\S{1,40})? (?:exited|failed|finished|ended)(?: with)?(?: exit)?(?: code| status)?|<?returncode)["'>:=\\s]{0,4}${CODE}`,
  'i',
)
/** Anywhere at the end of an answer, where most tools say it. */
const ANYWHERE = new RegExp(
  `(?:(?:exit(?:ed)?|failed|finished|ended)(?: with)?(?: exit)?[ _-]?(?:code|status)|exit[ _]?code|returncode)["'>:=\\s]{0,4}${CODE}`,
  'gi',
)
/** Without one of these a text tells no exit code: one look instead of a dozen. */
const SPEAKS = /exit|returncode|failed|finished|ended/i
const NEAR = 400
const HEADER_LINES = 4

const LONGEST_LINE = 100

/** Whether the last line of a result is its tool's word that the command ended: what stands above was printed by a program that ran. */
export function endsWithExit(result: string): boolean {
  const tail = result.slice(-NEAR).trimEnd()
  const line = tail.slice(tail.lastIndexOf('\n') + 1)
  return line.length <= LONGEST_LINE && HEADER.test(line)
}

/**
 * The exit code that the result of a command tells, null when it tells none. A header of the tool's counts before anything
 * the program printed; else the last one named at the end, else the first at the beginning.
 */
export function exitCodeOf(result: string): number | null {
  const head = result.slice(0, NEAR)
  const tail = result.slice(-NEAR)
  if (!SPEAKS.test(head) && (result.length <= NEAR || !SPEAKS.test(tail))) return null
  for (const line of head.split('\n', HEADER_LINES)) {
    const code = HEADER.exec(line)?.[1]
    if (code !== undefined) return Number(code)
  }
  let code: number | null = null
  for (const match of tail.matchAll(ANYWHERE)) code = Number(match[1])
  if (code !== null || result.length <= NEAR) return code
  const first = head.matchAll(ANYWHERE).next().value
  return first === undefined ? null : Number(first[1])
}
