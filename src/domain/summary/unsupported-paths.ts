import { isFilePath, pathTokens } from '../text/path-tokens.ts'
import { tailsOf } from './mentions.ts'

// An answer that names more new paths than this is wrong as a whole; the look-ups stay bounded.
const MOST = 200

/**
 * Paths of the answer that occur nowhere in the source texts (docs/spec/compaction.md §7.4). A rooted path counts as known when
 * the source has it relative: agents write both.
 */
export function unsupportedPaths(answer: string, source: readonly string[]): string[] {
  return pathTokens(answer)
    .filter(isFilePath)
    .slice(0, MOST)
    .filter((path) => !spellings(path).some((spelling) => source.some((text) => text.includes(spelling))))
}

function spellings(path: string): string[] {
  const escaped = path.includes('\\') ? [path.replaceAll('\\', '\\\\')] : []
  const isRooted = /^(?:[/~]|[A-Za-z]:[/\\])/.test(path)
  const relative = isRooted ? tailsOf(path).filter((tail) => tail !== path && /[/\\]/.test(tail)) : []
  return [path, ...escaped, ...relative]
}
