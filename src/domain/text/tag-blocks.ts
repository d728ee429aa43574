/** Where a tag pair stands in a text: from its `<` to just after its closing `>`; `bodyStart`..`bodyEnd` is what it holds. */
export interface TagBlock {
  readonly start: number
  readonly end: number
  readonly bodyStart: number
  readonly bodyEnd: number
}

/**
 * The next `<name>` at the start of a line (or directly after another closing tag, as omp writes them), with its closing
 * tag; null when there is none. An unclosed one reaches to the end of the text. Plain searches keep it linear.
 */
export function findTagBlock(text: string, name: string, from = 0): TagBlock | null {
  const start = findOpening(text, name, from)
  if (start < 0) return null
  const bodyStart = start + name.length + 2
  const close = text.indexOf(`</${name}>`, bodyStart)
  if (close < 0) return { start, end: text.length, bodyStart, bodyEnd: text.length }
  return { start, end: close + name.length + 3, bodyStart, bodyEnd: close }
}

/** Where the next `<name>` stands at the start of a line or directly after another tag; -1 without one. */
export function findOpening(text: string, name: string, from: number): number {
  const opening = `<${name}>`
  for (let start = text.indexOf(opening, from); start >= 0; start = text.indexOf(opening, start + 1)) {
    const before = text[start - 1]
    if (before === undefined || before === '\n' || before === '>') return start
  }
  return -1
}
