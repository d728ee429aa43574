import { isFilePath, pathTokens, tailsOf } from '../text/path-tokens.ts'

// An answer that names more new paths than this is wrong as a whole; the look-ups stay bounded.
const MOST = 200

/**
 * Paths of the answer that occur nowhere in the source texts (docs/spec/compaction.md §7.4). A rooted path counts as known when
 * the source has it relative: agents write both. `known`: what need not be looked for.
 */
export function unsupportedPaths(answer: string, source: readonly string[], known: ReadonlySet<string>): string[] {
  return pathTokens(answer)
    .filter(isFilePath)
    .slice(0, MOST)
    .filter((path) => !known.has(path))
    .filter((path) => !spellings(path).some((spelling) => source.some((text) => text.includes(spelling))))
}

/** What every spelling of a path ends with, so that one look for it stands for all of them. */
function spellings(path: string): string[] {
  const isRooted = /^(?:[/~]|[A-Za-z]:[/\\])/.test(path)
  const end = isRooted ? tailsOf(path).findLast((tail) => /[/\\]/.test(tail)) : undefined
  const shortest = end ?? path
  return shortest.includes('\\') ? [shortest, shortest.replaceAll('\\', '\\\\')] : [shortest]
}
