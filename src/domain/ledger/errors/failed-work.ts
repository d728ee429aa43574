import type { Work } from './works-of.ts'

/** Whose fault a line is, by its looks. */
const NATURES: readonly (readonly [string, RegExp])[] = [
  [
    'build',
    /\berror TS\d|\bTS\d{4}\b|^\s*error\[E\d{4}\]|: error: |undefined reference|cannot find (?:symbol|package|module)|Module not found|Failed to compile|mypy|pyright/i,
  ],
  [
    'test',
    // bounded: every match looks at 100 characters at most
    /AssertionError|^\s{0,40}(?:FAIL|FAILED|--- FAIL|✗|✕|×|not ok)\b|^E {3}|\b\d+ (?:failed|failing)\b|expected .{1,80} (?:to|but)\b|panicked at|snapshot/i,
  ],
  ['lint', /eslint|prettier|ruff|isort|incorrectly sorted|would reformat|lint|Parsing error|no-unused|clippy/i],
]

/**
 * The part of a chain whose failure a result tells (docs/spec/truth.md §2): the one whose kind the line is of, else the last
 * that does more than look. Null where all parts only look. `lineOf`: the line that says what went wrong, looked for only in a chain.
 */
export function failedWork(works: readonly Work[], lineOf: () => string): Work | null {
  const working = works.filter(({ isLooking }) => !isLooking)
  if (working.length <= 1) return working[0] ?? null
  const line = lineOf()
  for (const [family, pattern] of NATURES) {
    if (!pattern.test(line)) continue
    const found = working.findLast((work) => work.family === family)
    if (found !== undefined) return found
  }
  return working.at(-1) ?? null
}
