const CONTEXT_LINES = 2

/** The difference of two texts, one line a line: `+` added, `-` removed, a blank before the unchanged lines around them. */
export function diffLines(before: string, after: string): readonly string[] {
  const rows = changesOf(linesOf(before), linesOf(after))
  const isNear = rows.map((_, at) =>
    rows.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some((row) => row[0] !== ' '),
  )
  return rows.filter((_, at) => isNear[at])
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** By the longest common subsequence: settings files are short. */
function changesOf(from: readonly string[], to: readonly string[]): string[] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Array<number>(to.length + 1).fill(0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] ?? []
      row[j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const rows: string[] = []
  let i = 0
  let j = 0
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      rows.push(` ${from[i]}`)
      i += 1
      j += 1
    } else if (j < to.length && (i === from.length || at(i, j + 1) >= at(i + 1, j))) {
      rows.push(`+${to[j]}`)
      j += 1
    } else {
      rows.push(`-${from[i]}`)
      i += 1
    }
  }
  return rows
}
