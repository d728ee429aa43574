import { closesFence, type FenceLine, fenceOf } from './fences.ts'

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/

/** One Markdown heading: its line (`## Goal`), its depth and its bare title. */
export interface Heading {
  readonly line: string
  readonly level: number
  readonly title: string
}

/** The heading a line is, or null. Closing hashes and trailing space do not belong to the title. */
export function headingOf(line: string): Heading | null {
  const match = HEADING.exec(line)
  if (match?.[1] === undefined || match[2] === undefined) return null
  const title = withoutClosingHashes(match[2].trimEnd())
  return { line: `${match[1]} ${title}`, level: match[1].length, title }
}

function withoutClosingHashes(title: string): string {
  let end = title.length
  while (end > 0 && title[end - 1] === '#') end -= 1
  return end < title.length && (end === 0 || title[end - 1] === ' ') ? title.slice(0, end).trimEnd() : title
}

/**
 * Headings that instructions ask for, in order, each once. Fenced ones count: agents often show the wanted form in a fence.
 */
export function askedHeadings(instructions: string): Heading[] {
  const found = new Map<string, Heading>()
  for (const line of instructions.split('\n')) {
    const heading = headingOf(line.trimEnd())
    if (heading !== null && !found.has(heading.line)) found.set(heading.line, heading)
  }
  return [...found.values()]
}

/** True when the text has a heading outside code fences: a `# comment` of a shell snippet is none. */
export const hasHeading = (text: string): boolean => lastHeadingAt(text) >= 0

/** Where the last heading outside code fences begins, read from `from` on; -1 without any. */
export function lastHeadingAt(text: string, from = 0): number {
  let open: FenceLine | null = null
  let last = -1
  let at = from
  for (const line of text.slice(from).split('\n')) {
    const fence = fenceOf(line)
    if (open !== null) {
      if (fence !== null && closesFence(fence, open)) open = null
    } else if (fence !== null) open = fence
    else if (HEADING.test(line)) last = at
    at += line.length + 1
  }
  return last
}
