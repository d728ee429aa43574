// Backticks after the mark make it inline code, not a fence.
const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n`]*)$/
const FIRST_WORD = /\S+/

/** One line of backticks or tildes: how long, and the word after it (`markdown`, '' for none). */
export interface FenceLine {
  readonly mark: string
  readonly info: string
}

/** The fence a line is, or null. */
export function fenceOf(line: string): FenceLine | null {
  const match = FENCE.exec(line)
  return match?.[1] === undefined
    ? null
    : { mark: match[1], info: (FIRST_WORD.exec(match[2] ?? '')?.[0] ?? '').toLowerCase() }
}

/** True when `line` closes a fence opened by `open`: same character, at least as long, nothing after it. */
export function closesFence(line: FenceLine, open: FenceLine): boolean {
  return line.info === '' && line.mark.startsWith(open.mark)
}

/** The fence that a text leaves open at its end, or null. */
export function openFence(text: string): FenceLine | null {
  let open: FenceLine | null = null
  for (const line of text.split('\n')) {
    const fence = fenceOf(line)
    if (open === null) open = fence
    else if (fence !== null && closesFence(fence, open)) open = null
  }
  return open
}
