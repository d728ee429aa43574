import type { FileLists } from '../conversation/file-lists.ts'
import { lastHeadingAt } from '../text/headings.ts'
import { render } from '../text/render.ts'
import { findOpening, findTagBlock } from '../text/tag-blocks.ts'

/** Paths that the text shows a list; `details` of the entry hold them all (docs/spec/compaction.md §7.7). */
const SHOWN = 20
const MOST_PASSES = 24
// `files` is what later versions of omp write.
const TAGS = ['read-files', 'modified-files', 'files'] as const
// Both slots stand alone between their tags, so a list without paths leaves exactly this.
const EMPTY_TAG = /<([a-z-]+)>\n\n<\/\1>\n?/g

/**
 * Replaces all file tags of a summary by those of `files`, one path a line, at its end. Idempotent; an empty list has no
 * tag. `template` is the prompt `file-operations`.
 */
export function upsertFileTags(summary: string, files: FileLists, template: string): string {
  const base = stripFileTags(summary)
  if (files.readFiles.length + files.modifiedFiles.length === 0) return base
  const values = { readFiles: shown(files.readFiles), modifiedFiles: shown(files.modifiedFiles) }
  const tags = render(template, values).replace(EMPTY_TAG, '').trimEnd()
  return base === '' ? tags : `${base}\n\n${tags}`
}

/** The summary without its file tags and without trailing white space. */
export function stripFileTags(summary: string): string {
  let text = summary
  // What stood after a removed tag may be a tag at the start of a line now. Real summaries need two passes.
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const next = TAGS.reduce((rest, tag) => stripTag(rest, tag), text).trimEnd()
    if (next === text) break
    text = next
  }
  return text
}

function stripTag(text: string, tag: string): string {
  const kept: string[] = []
  let from = 0
  for (let block = findTagBlock(text, tag); block !== null; block = findTagBlock(text, tag, from)) {
    kept.push(text.slice(from, block.start))
    if (block.bodyEnd === text.length) return kept.join('') + withoutUnclosed(text, tag, block.start)
    from = skipSpace(text, block.end)
  }
  return from === 0 ? text : kept.join('') + text.slice(from)
}

/**
 * The text from the first tag on that nobody closes, and so none after it: a list cut at the token cap, unless sections follow;
 * then it is only a stray word.
 */
function withoutUnclosed(text: string, tag: string, first: number): string {
  const lastHeading = lastHeadingAt(text, first)
  const kept: string[] = []
  let from = first
  for (let start = first; start >= 0; start = findOpening(text, tag, from)) {
    kept.push(text.slice(from, start))
    if (start > lastHeading) return kept.join('')
    from = skipSpace(text, start + tag.length + 2)
  }
  return kept.join('') + text.slice(from)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1
  return at
}

function shown(paths: readonly string[]): string {
  const lines = paths.slice(0, SHOWN).map(oneLine)
  if (paths.length > SHOWN) lines.push(`… (${paths.length - SHOWN} more)`)
  return lines.join('\n')
}

/** A path is data: it can neither break its line nor close its tag. */
function oneLine(path: string): string {
  return path.replace(/[\r\n]+/g, ' ').replaceAll('</', '&lt;/')
}
