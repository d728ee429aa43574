import { cleanCharacters } from '../text/clean.ts'
import { redact } from '../text/redact.ts'
import { findTagBlock } from '../text/tag-blocks.ts'

const HEADING = '## Pinned'
const TAG = 'pinned'

/**
 * Copies the caller's pinned texts (plan, todos, rules) verbatim under a heading of their own at the end of the summary,
 * in place of an older such section. `undefined` leaves the pins of `previousSummary` in force, an empty list drops them:
 * an agent that forgets to send its plan once must not lose it (docs/bug-log.md B147).
 */
export function withPinned(summary: string, pinned: readonly string[] | undefined, previousSummary = ''): string {
  const base = stripPinned(summary)
  const body =
    pinned === undefined ? pinnedBody(previousSummary) : pinned.filter((text) => text.trim() !== '').join('\n\n')
  if (body === '') return base
  return `${base}${base === '' ? '' : '\n\n'}${HEADING}\n\n<${TAG}>\n${redact(cleanCharacters(body))}\n</${TAG}>`
}

/** The summary without its pinned section: models need not copy what is appended anyway. */
export function stripPinned(summary: string): string {
  const section = pinnedSection(summary)
  if (section === null) return summary
  const before = summary.slice(0, section.start).trimEnd()
  const behind = summary.slice(section.end).trim()
  return behind === '' ? before : before === '' ? behind : `${before}\n\n${behind}`
}

function pinnedBody(summary: string): string {
  const section = pinnedSection(summary)
  return section === null ? '' : summary.slice(section.bodyStart + 1, section.bodyEnd)
}

/** The section with its heading. It ends at the LAST closing tag: pinned text may hold such tags itself. */
function pinnedSection(summary: string): { start: number; end: number; bodyStart: number; bodyEnd: number } | null {
  const start = summary.indexOf(`${HEADING}\n\n<${TAG}>\n`)
  if (start < 0 || (start > 0 && summary[start - 1] !== '\n')) return null
  const block = findTagBlock(summary, TAG, start)
  const bodyEnd = summary.lastIndexOf(`\n</${TAG}>`)
  if (block === null || bodyEnd < block.bodyStart) return null
  return { start, end: bodyEnd + TAG.length + 4, bodyStart: block.bodyStart, bodyEnd }
}
