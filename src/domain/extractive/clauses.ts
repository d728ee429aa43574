const LEAST_CLAUSE = 40

/** As many whole clauses of a line as a short form has room for; names after it stay. */
export function clauses(line: string, most: number): string {
  if (line.length <= most) return line
  const head = line.slice(0, most)
  const end = Math.max(...[', ', '; ', ' — ', ' – ', ' (', '，', '、', '. '].map((edge) => head.lastIndexOf(edge)))
  const at = end >= LEAST_CLAUSE ? end : head.lastIndexOf(' ')
  // Half of a code span is not a name.
  const cut = head.slice(0, at < LEAST_CLAUSE ? most : at)
  return cut.split('`').length % 2 === 1 ? `${cut} …` : `${cut.slice(0, cut.lastIndexOf('`')).trimEnd()} …`
}
