const SPACES = /\s+/g
const FENCE = /^\s*(?:```|~~~)[^\n]*$/
const HEADING = /^(\s*)(#{1,6}\s)/
const LAST_SENTENCE = /[.!?。！？](?=\s|$|[^\x00-\x7f])/g

/** A quotation on one line; one longer than `most` ends after a sentence or a word, with a mark that says so. */
export function quoteLine(text: string, most: number): string {
  const line = text.replace(SPACES, ' ').trim()
  return line.length <= most ? line : `${cutAtWord(line, most)} …`
}

/**
 * A quotation with its lines kept, later ones indented below their bullet. Lines that look like headings are escaped, so
 * that they stay data. Longer than `most`: head and tail with a mark between that counts what was left out.
 */
export function quoteLines(text: string, most: number): string {
  const whole = text.trim()
  const kept = whole.length <= most ? whole : headAndTail(whole, most)
  const lines = kept
    .split('\n')
    .filter((line) => !FENCE.test(line))
    .map((line) => line.trimEnd().replace(HEADING, '$1\\$2'))
  const close = lines.filter((line, i) => line !== '' || (i > 0 && i < lines.length - 1 && lines[i - 1] !== ''))
  return close.map((line, i) => (i === 0 || line === '' ? line : `  ${line}`)).join('\n')
}

function headAndTail(text: string, most: number): string {
  const head = cutAtWord(text, Math.floor(most * 0.65))
  const tailAt = text.length - Math.floor(most * 0.3)
  const space = text.slice(tailAt, tailAt + 80).search(/\s/)
  const tail = text.slice(space < 0 ? safeStart(text, tailAt) : tailAt + space + 1).trimStart()
  return `${head} …\n[${text.length - head.length - tail.length} characters left out]\n… ${tail}`
}

/** The end of a text, from the beginning of a paragraph or line, at most the given characters. */
export function lastParagraph(text: string, most: number): string {
  const whole = text.trim()
  if (whole.length <= most) return whole
  const tail = whole.slice(safeStart(whole, whole.length - most))
  const paragraph = tail.indexOf('\n\n')
  if (paragraph >= 0 && paragraph < most * 0.7) return tail.slice(paragraph + 2)
  const line = tail.indexOf('\n')
  return line >= 0 && line < most * 0.7 ? tail.slice(line + 1) : `… ${tail.slice(tail.indexOf(' ') + 1)}`
}

const safeStart = (text: string, at: number): number => (isLow(text.charCodeAt(at)) ? at + 1 : at)
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** Cut after the last sentence when one ends in the last third, else after the last word; never inside a character. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, isLow(text.charCodeAt(most)) ? most - 1 : most)
  let sentence = 0
  for (const match of head.matchAll(LAST_SENTENCE)) sentence = match.index + 1
  if (sentence > most * 0.66) return head.slice(0, sentence)
  const space = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n'))
  return space > most * 0.5 ? head.slice(0, space) : head
}
