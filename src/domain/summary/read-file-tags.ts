import type { FileLists } from '../conversation/file-lists.ts'
import { findTagBlock } from '../text/tag-blocks.ts'

/** The line that stands for paths a tag does not show. */
const MORE = /^… \(\d+ more\)$/

/**
 * Paths that the file tags of an earlier summary show. A message list has no `details` to carry them, so the text is all
 * there is (docs/spec/compaction.md §8, §10).
 */
export function readFileTags(summary: string): FileLists {
  return { readFiles: pathsOf(summary, 'read-files'), modifiedFiles: pathsOf(summary, 'modified-files') }
}

function pathsOf(summary: string, tag: string): string[] {
  const block = findTagBlock(summary, tag)
  if (block === null) return []
  const lines = summary.slice(block.bodyStart, block.bodyEnd).split('\n')
  return lines.map((line) => line.trim().replaceAll('&lt;/', '</')).filter((line) => line !== '' && !MORE.test(line))
}
