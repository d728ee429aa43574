import { closesFence, type FenceLine, fenceOf } from '../text/fences.ts'
import { hasHeading, headingOf } from '../text/headings.ts'

const PROSE = new Set(['', 'markdown', 'md', 'text', 'txt', 'plaintext'])
// A remark before or after the fenced summary; more than this is content of its own.
const REMARK_LENGTH = 300

/**
 * Takes off one code fence around everything; fences inside stay. Also one around the whole summary after a short remark
 * ("Here is the summary:"), and one that was never closed because the answer was cut.
 */
export function unwrapFence(text: string): string {
  const lines = text.trim().split('\n')
  const start = lines.findIndex((line) => fenceOf(line) !== null)
  const open = start < 0 ? null : fenceOf(lines[start] ?? '')
  if (open === null) return text
  const end = endOf(lines, start, open)
  const inner = lines.slice(start + 1, end)
  if (start === 0 && end === lines.length - 1) return inner.join('\n')
  const outside = [...lines.slice(0, start), ...lines.slice(end + 1)].join('\n')
  // From here on only a fence that visibly holds the summary itself is a wrapper, never a snippet inside one.
  const holdsAll = PROSE.has(open.info) && hasHeading(inner.join('\n')) && !hasHeading(outside)
  return holdsAll && outside.length <= REMARK_LENGTH ? inner.join('\n') : text
}

/** Line that closes the fence opened on line `start`; `lines.length` when none does. */
function endOf(lines: readonly string[], start: number, open: FenceLine): number {
  const last = lines.length - 1
  // Bare inner fences cannot be told from the outer one's end, so a prose fence that begins with a heading and ends with
  // the answer is taken to wrap all of it.
  const content = lines.slice(start + 1).find((line) => line.trim() !== '')
  const lastFence = fenceOf(lines[last] ?? '')
  const wrapsSummary = PROSE.has(open.info) && content !== undefined && headingOf(content) !== null
  if (last > start && wrapsSummary && lastFence !== null && closesFence(lastFence, open)) return last
  const nested: FenceLine[] = [open]
  for (let at = start + 1; at < lines.length; at += 1) {
    const fence = fenceOf(lines[at] ?? '')
    const innermost = nested.at(-1)
    if (fence === null || innermost === undefined) continue
    if (closesFence(fence, innermost)) nested.pop()
    else if (fence.info !== '') nested.push(fence)
    if (nested.length === 0) return at
  }
  return lines.length
}
