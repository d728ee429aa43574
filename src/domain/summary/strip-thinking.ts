import { closesFence, type FenceLine, fenceOf } from '../text/fences.ts'

/** Tags that models think in. What stands inside is never part of a summary. */
const NAMES = 'think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis'
const LINE_TAG = new RegExp(`^[ \\t]*<(/?)(?:antml:|antml_)?(${NAMES})(?:[ \\t][^<>]*)?>`, 'i')
const ANY_TAG = new RegExp(`<(/?)(?:antml:|antml_)?(${NAMES})(?:[ \\t][^<>\\n]*)?>`, 'gi')
const SUMMARY_LINE = /^[ \t]*<summary>/i

/**
 * Removes blocks of thinking. An opening tag counts at the start of a line outside code fences, so a summary that merely
 * mentions `<think>` keeps its text. Unclosed: everything after it is thinking, but for an `<analysis>` that a line with
 * `<summary>` ends. A closing tag without an opening one ends thinking whose start the provider swallowed.
 */
export function stripThinking(text: string): string {
  if (!text.includes('<')) return text
  const lines = dropOrphan(text).split('\n')
  const kept: string[] = []
  let open: FenceLine | null = null
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = fenceOf(line)
    if (fence !== null) open = open === null ? fence : closesFence(fence, open) ? null : open
    const tag = open === null ? LINE_TAG.exec(line) : null
    if (tag === null || tag[1] === '/') {
      kept.push(line)
      continue
    }
    const end = endOfBlock(lines, at, tag[2]?.toLowerCase() === 'analysis')
    at = end.line
    // What follows the closing tag on its line is answer again, perhaps with a tag of its own.
    if (end.rest.trim() !== '') {
      lines[at] = end.rest
      at -= 1
    }
  }
  return kept.join('\n')
}

/** Line and rest of line where the block that opens on line `from` ends; nested tags of the family are counted. */
function endOfBlock(lines: readonly string[], from: number, isAnalysis: boolean): { line: number; rest: string } {
  let depth = 0
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (isAnalysis && at > from && SUMMARY_LINE.test(line)) return { line: at, rest: line }
    for (const tag of line.matchAll(ANY_TAG)) {
      depth += tag[1] === '/' ? -1 : 1
      if (depth === 0) return { line: at, rest: line.slice(tag.index + tag[0].length) }
    }
  }
  return { line: lines.length, rest: '' }
}

/** Cuts everything up to a closing tag that ends a line and was never opened. */
function dropOrphan(text: string): string {
  const first = text.matchAll(ANY_TAG).next().value
  if (first?.[1] !== '/') return text
  const after = first.index + first[0].length
  const endsLine = /^[ \t]*(?:\n|$)/.test(text.slice(after, after + 200))
  const isQuoted = text[first.index - 1] === '`' || isInsideFence(text.slice(0, first.index))
  return endsLine && !isQuoted ? text.slice(after) : text
}

function isInsideFence(before: string): boolean {
  return before.split('\n').filter((line) => fenceOf(line) !== null).length % 2 === 1
}
